// SPDX-License-Identifier: Apache-2.0
#include "usage/configured.hpp"

#include "plugin_directories.hpp"

#include <string>
#include <string_view>

namespace skillhost::app {
namespace {

UsageSettings::Principals formOf(std::string_view word) {
  if (word == "hashed") return UsageSettings::Principals::Hashed;
  return word == "names" ? UsageSettings::Principals::Names : UsageSettings::Principals::None;
}

} // namespace

UsageSettings usageSettings(const Configuration &configuration) {
  const FeatureSettings &from = configuration.features;
  UsageSettings settings;
  const std::string folder = hostCacheDirectory();
  settings.path =
      from.textIfAny("usage.path").value_or(folder.empty() ? folder : folder + "/usage.sqlite");
  settings.keepDays = from.number("usage.keep_days");
  settings.maxBytes = from.number("usage.max_bytes");
  settings.principals = formOf(from.text("usage.principals"));
  settings.queries = from.flag("usage.queries");
  return settings;
}

} // namespace skillhost::app
