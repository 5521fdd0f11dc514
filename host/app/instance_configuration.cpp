// SPDX-License-Identifier: Apache-2.0
#include "instance_configuration.hpp"

#include "beneath/top_link.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace skillhost::app {
namespace {

bool isOfFolders(const SourceConfiguration &source) {
  return source.plugin == "filesystem" || source.plugin == "org.skillhost.filesystem";
}

std::string home() {
  const char *const value = std::getenv("HOME"); // NOLINT(concurrency-mt-unsafe): nobody changes it
  return value == nullptr ? std::string() : value;
}

// Resolves links as far as the path exists; "~" is the home folder.
std::string realPath(std::string path) {
  if (path == "~" || path.starts_with("~/")) path.replace(0, 1, home());
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
  return error ? path : real.string();
}

// Returns the folders that links in the directories of this source may lead to.
std::vector<std::string> linkTargets(const Json &config) {
  std::vector<std::string> targets;
  const auto named = config.find("follow_links_into");
  if (named == config.end() || !named->is_array()) {
    targets = beneath::usualLinkTargets(home());
  } else {
    for (const Json &one : *named)
      if (one.is_string()) targets.push_back(one.get<std::string>());
  }
  std::transform(targets.begin(), targets.end(), targets.begin(), &realPath);
  return targets;
}

} // namespace

InstanceConfiguration instanceOfSource(const Configuration &configuration,
                                       const SourceConfiguration &source) {
  InstanceConfiguration instance = instanceOf(source.name, source);
  if (!isOfFolders(source) || !source.config.is_object()) return instance;
  Json config = source.config;
  Json elsewhere = config.value("served_elsewhere", Json::array());
  if (!elsewhere.is_array()) return instance; // the plugin reports what is wrong with it
  // A source receives only folders that its links could lead to, so that it need not be made again
  // when others change.
  const std::vector<std::string> targets = linkTargets(config);
  const auto concerns = [&](const std::string &folder) {
    const std::string real = realPath(folder);
    return std::any_of(targets.begin(), targets.end(), [&](const std::string &target) {
      return beneath::liesIn(real, target) || beneath::liesIn(target, real);
    });
  };
  for (const SourceConfiguration &other : configuration.sources) {
    const auto folders = other.config.find("directories");
    // The folders of a disabled source must not be served by other sources either.
    if (other.name == source.name || !isOfFolders(other) || folders == other.config.end() ||
        !folders->is_array())
      continue;
    for (const Json &folder : *folders)
      if (folder.is_string() && concerns(folder.get_ref<const std::string &>()))
        elsewhere.push_back(folder);
  }
  if (elsewhere.empty()) return instance;
  config["served_elsewhere"] = std::move(elsewhere);
  instance.config = config.dump();
  return instance;
}

} // namespace skillhost::app
