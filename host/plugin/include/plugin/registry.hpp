// SPDX-License-Identifier: Apache-2.0
// The plugins of this host: finds the files, makes instances of what the configuration names.
#pragma once

#include "ground/deadline.hpp"
#include "ground/json.hpp"
#include "jsonschema/setting_problem.hpp"
#include "plugin/auth.hpp"
#include "plugin/description.hpp"
#include "plugin/http_plugin.hpp"
#include "plugin/observer_plugin.hpp"
#include "plugin/run_settings.hpp"
#include "plugin/search.hpp"
#include "plugin/source.hpp"
#include "plugin/state.hpp"
#include "plugin/tools.hpp"
#include "plugin_calls/isolation.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

// The snapshot that a source is to list, if it can choose: any it likes, only one, or the newest
// now.
struct SourcePin {
  enum class Mode : std::uint8_t { Free, Snapshot, Newest };
  Mode mode = Mode::Free;
  std::string snapshot; // for Snapshot
};

struct InstanceConfiguration {
  std::string name;   // name of the instance, unique in the configuration
  std::string plugin; // file stem ("filesystem"), id ("org.skillhost.filesystem") or path of a .so
  std::string config; // JSON object, secrets already resolved
  // Private, or empty. If it is empty and the settings name a cache directory, a plugin that keeps
  // files, like every one that is not built in, gets a folder of its own, named after the instance,
  // which no other running host has unless the plugin shares it. An instance that is made in the
  // place of another of its name and plugin, which must have stopped, takes its folder.
  std::string cacheDirectory;
  // Files kept under one mark are of no use under another. Each mark has a folder, which is removed
  // when it was not used for a week, see removeUnusedCaches(). Empty: there is one folder for all.
  std::string cacheMark;
  RunSettings run;
  SourcePin pin;
  // For a source plugin that is a filter: the source that it wraps. Null: it wraps none.
  std::shared_ptr<Source> upstream{};
  // For a state plugin: the beginning of the host's keys and channels. A plugin whose schema has
  // the property `check_prefix` gets it as that, unless the configuration has another.
  std::string keyPrefix;
  std::shared_ptr<const void> cacheOurs; // set by the registry: keeps others from cacheDirectory
};

struct PluginSettings {
  std::vector<std::string> directories;             // searched first
  std::shared_ptr<const PluginIsolation> isolation; // null: only the host's own plugins are used
  std::string cacheDirectory; // for the results of scans; empty: nothing is kept
  std::string lock;           // the file of plugins.lock; empty: none
  bool reachable = false;     // other machines reach this host
};

// Returns the text of a `plugins.lock` with these files; one that cannot be read is left out.
std::string lockText(const std::vector<std::string> &files);

// Instances outlive the registry's methods, not the registry. Any thread.
class PluginRegistry {
public:
  // Finds *.so in each directory, not below it. `builtIn` has the files of the host's own plugins,
  // and folders that have no others. A directory that does not exist is skipped. Any other file is
  // only examined by a process of its own; a file that others may write is refused.
  explicit PluginRegistry(const std::vector<std::string> &builtIn, PluginSettings settings = {});
  ~PluginRegistry();
  PluginRegistry(const PluginRegistry &) = delete;
  PluginRegistry &operator=(const PluginRegistry &) = delete;

  // Fails for an unknown plugin, a refused file, a wrong kind or ABI, a configuration that breaks
  // its schema, or a failed create(). The reason is kept for describe(). `problems` receives the
  // faults of the configuration, and stays empty if the reason is another one.
  Result<std::shared_ptr<Source>> makeSource(const InstanceConfiguration &configuration,
                                             SettingProblems *problems = nullptr);
  Result<std::shared_ptr<SearchBackend>> makeSearch(const InstanceConfiguration &configuration,
                                                    SettingProblems *problems = nullptr);
  Result<std::shared_ptr<ToolProvider>> makeTools(const InstanceConfiguration &configuration,
                                                  SettingProblems *problems = nullptr);
  Result<std::shared_ptr<AuthProvider>> makeAuth(const InstanceConfiguration &configuration,
                                                 SettingProblems *problems = nullptr);
  Result<std::shared_ptr<StateBackend>> makeState(const InstanceConfiguration &configuration,
                                                  SettingProblems *problems = nullptr);
  Result<std::shared_ptr<ObserverPlugin>> makeObserver(const InstanceConfiguration &configuration,
                                                       SettingProblems *problems = nullptr);
  Result<std::shared_ptr<HttpPlugin>> makeHttp(const InstanceConfiguration &configuration,
                                               SettingProblems *problems = nullptr);

  // Fails every make that waits for a plugin's create(), now and from now on.
  void stopMaking();
  // True after stopMaking().
  bool stopsMaking() const;

  // True if the instance of that name has a folder of its own. It must then stop before its
  // replacement is made.
  bool keepsFolder(const std::string &instance) const;

  // Removes the folders of instances whose names begin with `start`, if they have a mark, no
  // process holds them and none has used them for a week.
  void removeUnusedCaches(const std::string &start);

  // Returns every plugin found and every instance made, sorted by file. If `examineNew` is true, it
  // first examines the files that were not examined yet; else it waits for nothing, least of all
  // for a file that is being examined.
  std::vector<PluginDescription> describe(bool examineNew);

  // Waits, at most until the deadline, while an instance reports that it is starting.
  void waitUntilStarted(Deadline deadline) const;

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// True if a plugin that is not built in has been loaded into this process. The process must then
// leave by _Exit, because the exit handlers that would run are not all ours.
bool thirdPartyPluginLoaded() noexcept;

} // namespace skillhost
