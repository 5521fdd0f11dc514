// SPDX-License-Identifier: Apache-2.0
#include "configured.hpp"

#include "ground/blake3.hpp"
#include "plugin_directories.hpp"
#include "without_secrets.hpp"

#include <nlohmann/json.hpp>

namespace skillhost::app {
namespace {

// Returns the texts in a value with their places.
Json textsIn(const Json &value) {
  Json flat = value.flatten();
  Json texts = Json::object();
  for (const auto &[place, one] : flat.items())
    if (one.is_string()) texts[place] = one;
  return texts;
}

} // namespace

VersionSettings versionSettings(const Configuration &configuration) {
  const FeatureSettings &from = configuration.features;
  VersionSettings settings;
  const std::string folder = hostCacheDirectory();
  settings.path = from.textIfAny("versions.path")
                      .value_or(folder.empty() ? folder : folder + "/versions.sqlite");
  settings.maxVersionsPerSkill = from.number("versions.per_skill");
  settings.keepDays = from.number("versions.keep_days");
  settings.maxBytes = from.number("versions.max_bytes");
  return settings;
}

std::map<std::string, std::string> versionMarks(const Configuration &configuration) {
  std::map<std::string, std::string> marks;
  for (const SourceConfiguration &one : configuration.sources) {
    if (!one.enabled) continue;
    Json all = {one.name, one.plugin, one.config};
    leaveOutSecrets(all);
    marks.emplace(one.name,
                  blake3Hex(textsIn(all).dump(-1, ' ', false, Json::error_handler_t::replace)));
  }
  return marks;
}

} // namespace skillhost::app
