// SPDX-License-Identifier: Apache-2.0
// The plugins of this host: finds the files, makes instances of what the configuration names.
#pragma once

#include "ground/deadline.hpp"
#include "ground/json.hpp"
#include "plugin/auth.hpp"
#include "plugin/description.hpp"
#include "plugin/isolation.hpp"
#include "plugin/observer_plugin.hpp"
#include "plugin/run_settings.hpp"
#include "plugin/search.hpp"
#include "plugin/setting_problem.hpp"
#include "plugin/source.hpp"
#include "plugin/state.hpp"
#include "plugin/tools.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

// What a source that can is to list: what it likes, one snapshot alone, or what is newest now.
struct SourcePin {
  enum class Mode : std::uint8_t { Free, Snapshot, Newest };
  Mode mode = Mode::Free;
  std::string snapshot; // for Snapshot
};

struct InstanceConfiguration {
  std::string name;   // the instance's, unique in the configuration
  std::string plugin; // file stem ("filesystem"), id ("org.skillhost.filesystem") or path of a .so
  std::string config; // JSON object, secrets already resolved
  // Private, or empty: then a plugin that is not built in gets one of its own, named after the
  // instance, if the settings name a cache directory: no other host that runs has the same. One
  // that is made in the place of another of its name and plugin, which must have stopped, takes its
  // folder.
  std::string cacheDirectory;
  // What is kept is of no use under another mark: each has a folder, which is removed when it was
  // not used for a week, see removeUnusedCaches(). Empty: there is one folder for all.
  std::string cacheMark;
  RunSettings run;
  SourcePin pin;
  // Of a state plugin: where the host's keys and channels begin. One whose schema has the property
  // `check_prefix` is given it as that, unless the configuration has another.
  std::string keyPrefix;
  std::shared_ptr<const void> cacheOurs; // set by the registry: keeps others from cacheDirectory
};

struct PluginSettings {
  std::vector<std::string> directories;             // looked in first
  std::shared_ptr<const PluginIsolation> isolation; // null: only the host's own plugins are used
  std::string cacheDirectory; // for what scans have found; empty: nothing is kept
  std::string lock;           // the file of plugins.lock; empty: none
  bool reachable = false;     // from other machines
};

// The text of a `plugins.lock` with these files; one that cannot be read is left out.
std::string lockText(const std::vector<std::string> &files);

// Instances outlive the registry's methods, not the registry. Any thread.
class PluginRegistry {
public:
  // Looks for *.so in each directory, not below it; `builtIn` are those of the host's own plugins.
  // A directory that does not exist is skipped; a file elsewhere is only looked into by a process
  // of its own; one that others may write is refused.
  explicit PluginRegistry(const std::vector<std::string> &builtIn, PluginSettings settings = {});
  ~PluginRegistry();
  PluginRegistry(const PluginRegistry &) = delete;
  PluginRegistry &operator=(const PluginRegistry &) = delete;

  // Failure: no such plugin, refused file, wrong kind or ABI, configuration against its schema,
  // or what create() said. The reason is kept for describe(). `problems` takes what is wrong with
  // the configuration, and stays empty when the reason is another one.
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

  // Has the instance of that name a folder of its own? One in its place is made when it has
  // stopped.
  bool keepsFolder(const std::string &instance) const;

  // Removes the folders of instances whose names begin with `start`, which have a mark, that no
  // process holds and none has used for a week.
  void removeUnusedCaches(const std::string &start);

  // Every plugin found and every instance made, sorted by file. Loads what is not loaded yet when
  // `look` is true, to read what it says of itself; else it waits for nothing, least of all for a
  // file that is being looked into.
  std::vector<PluginDescription> describe(bool look);

  // As long as an instance says that it does not know yet how it is.
  void waitUntilStarted(Deadline deadline) const;

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Has a plugin that is not built in been loaded into this process? Then the process must leave by
// _Exit, for the exit handlers that would run are not all ours.
bool thirdPartyPluginLoaded() noexcept;

} // namespace skillhost
