// SPDX-License-Identifier: Apache-2.0
#include "instance_configuration.hpp"

#include <nlohmann/json.hpp>

namespace skillhost::app {
namespace {

bool isOfFolders(const SourceConfiguration &source) {
  return source.plugin == "filesystem" || source.plugin == "org.skillhost.filesystem";
}

} // namespace

InstanceConfiguration instanceOfSource(const Configuration &configuration,
                                       const SourceConfiguration &source) {
  InstanceConfiguration instance = instanceOf(source.name, source);
  if (!isOfFolders(source) || !source.config.is_object()) return instance;
  Json config = source.config;
  Json elsewhere = config.value("served_elsewhere", Json::array());
  if (!elsewhere.is_array()) return instance; // the plugin says what is wrong with it
  for (const SourceConfiguration &other : configuration.sources) {
    const auto folders = other.config.find("directories");
    // A source that is switched off says as well that others shall not serve its folders.
    if (other.name == source.name || !isOfFolders(other) || folders == other.config.end() ||
        !folders->is_array())
      continue;
    for (const Json &folder : *folders)
      if (folder.is_string()) elsewhere.push_back(folder);
  }
  if (elsewhere.empty()) return instance;
  config["served_elsewhere"] = std::move(elsewhere);
  instance.config = config.dump();
  return instance;
}

} // namespace skillhost::app
