// SPDX-License-Identifier: Apache-2.0
#include "usage_settings.hpp"

#include "plugin_directories.hpp"

#include <string>

namespace skillhost::app {

UsageSettings usageSettings(const Configuration &configuration) {
  const UsageConfiguration &from = configuration.usage;
  UsageSettings settings;
  const std::string folder = hostCacheDirectory();
  settings.path = from.path.value_or(folder.empty() ? folder : folder + "/usage.sqlite");
  settings.keepDays = from.keepDays;
  settings.maxBytes = from.maxBytes;
  settings.principals = from.principals;
  settings.queries = from.queries;
  return settings;
}

} // namespace skillhost::app
