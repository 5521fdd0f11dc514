// SPDX-License-Identifier: Apache-2.0
#include "usage/configured.hpp"

#include "plugin_directories.hpp"

#include <string>

namespace skillhost::app {
namespace {

UsageSettings::Principals formOf(UsagePrincipals principals) {
  switch (principals) {
  case UsagePrincipals::Hashed:
    return UsageSettings::Principals::Hashed;
  case UsagePrincipals::Names:
    return UsageSettings::Principals::Names;
  case UsagePrincipals::None:
    break;
  }
  return UsageSettings::Principals::None;
}

} // namespace

UsageSettings usageSettings(const Configuration &configuration) {
  const UsageConfiguration &from = configuration.usage;
  UsageSettings settings;
  const std::string folder = hostCacheDirectory();
  settings.path = from.path.value_or(folder.empty() ? folder : folder + "/usage.sqlite");
  settings.keepDays = from.keepDays;
  settings.maxBytes = from.maxBytes;
  settings.principals = formOf(from.principals);
  settings.queries = from.queries;
  return settings;
}

} // namespace skillhost::app
