// SPDX-License-Identifier: Apache-2.0
// Converts the configuration of one instance of a plugin to the form of the registry.
#pragma once

#include "app/configuration.hpp"
#include "app/plugin_isolation.hpp"
#include "listen_addresses.hpp"
#include "plugin/registry.hpp"
#include "plugin_directories.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace skillhost::app {

// `Part` is the configuration of a source, of the search or of authorization.
template <class Part> InstanceConfiguration instanceOf(std::string name, const Part &from) {
  InstanceConfiguration instance{std::move(name), from.plugin, from.config.dump(), {}};
  instance.run = from.run;
  return instance;
}

// Makes the configuration of a source. A source of folders receives the folders of the other ones.
InstanceConfiguration instanceOfSource(const Configuration &configuration,
                                       const SourceConfiguration &source);

inline PluginSettings pluginSettings(const Configuration &from, const std::string &executable) {
  std::vector<std::string> directories = from.plugins.directories;
  if (std::string installed = installedPluginDirectory(executable); !installed.empty())
    directories.push_back(std::move(installed));
  return {std::move(directories), pluginIsolation(executable), pluginCacheDirectory(),
          from.plugins.lock.value_or(""), reachableFromElsewhere(from)};
}

} // namespace skillhost::app
