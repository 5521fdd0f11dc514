// SPDX-License-Identifier: Apache-2.0
// The plugins of this host: finds the files, makes instances of what the configuration names.
#pragma once

#include "base/json.hpp"
#include "plugin/description.hpp"
#include "plugin/search.hpp"
#include "plugin/source.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skillhost {

struct InstanceConfiguration {
  std::string name;   // the instance's, unique in the configuration
  std::string plugin; // file stem ("filesystem"), id ("org.skillhost.filesystem") or path of a .so
  std::string config; // JSON object, secrets already resolved
  std::string cacheDirectory; // private, or empty
};

// Instances outlive the registry's methods, not the registry. Any thread.
class PluginRegistry {
public:
  // Looks for *.so in each directory, not below it. A directory that does not exist is skipped; one
  // that others may write is refused with a warning.
  explicit PluginRegistry(const std::vector<std::string> &directories);
  ~PluginRegistry();
  PluginRegistry(const PluginRegistry &) = delete;
  PluginRegistry &operator=(const PluginRegistry &) = delete;

  // Failure: no such plugin, refused file, wrong kind or ABI, configuration against its schema,
  // or what create() said. The reason is kept for describe().
  Result<std::shared_ptr<Source>> makeSource(const InstanceConfiguration &configuration);
  Result<std::shared_ptr<SearchBackend>> makeSearch(const InstanceConfiguration &configuration);

  // Every plugin found and every instance made, sorted by file. Loads what is not loaded yet when
  // `look` is true, to read what it says of itself.
  std::vector<PluginDescription> describe(bool look);

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace skillhost
