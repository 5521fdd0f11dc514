// SPDX-License-Identifier: Apache-2.0
// A running host: its parts, wired by a configuration, and their orderly end.
#pragma once

#include "access/access.hpp"
#include "app/configuration.hpp"
#include "app/host_features.hpp"
#include "base/metrics.hpp"
#include "base/readiness.hpp"
#include "features.hpp"
#include "http_plugins.hpp"
#include "made_filters.hpp"
#include "mcp/server.hpp"
#include "mcp/view_indexes.hpp"
#include "modules.hpp"
#include "observer_plugins.hpp"
#include "plugin/registry.hpp"
#include "search/index.hpp"
#include "skills/library.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace skillhost::app {

class Host {
public:
  // Alone is for a command that runs once and needs skills: the host begins at once, identifies no
  // callers, shares only what filters ask for, and makes no plugins with tools, observers
  // or HTTP handlers. Inspector is the same for a command that reports about plugins: it makes
  // these, too, waits for all of them, and checks the paths that HTTP handlers claim, except
  // against those of features. Replica is for many clients: the host
  // makes the store that replicas share, if one is configured, and checks whether the engine can be
  // reached; an unreachable engine is a warning. Stdio is for one client: the host shares nothing.
  // Replica and Stdio call guard(), load no other plugin, and wait for begin(). A part that cannot
  // be made for a reason outside the configuration is logged and left out, but every source is
  // served through all filters in `built`. `executable` is the program's absolute path. Throws
  // std::runtime_error if a feature that the configuration needs was not built, if a filter or the
  // shared store cannot be made, or if a setting is wrong; and what guard() throws.
  enum class Role : std::uint8_t { Alone, Inspector, Replica, Stdio };
  static constexpr std::chrono::seconds patienceForEngine{10}; // for the check of the shared store
  Host(const Configuration &configuration, const std::string &executable, const HostFeatures &built,
       Role role = Role::Alone, Features features = {});
  // Waits for what has begun, then stops the modules. A module stops before those that it calls.
  ~Host();
  Host(const Host &) = delete;
  Host &operator=(const Host &) = delete;

  // Starts to load plugins, to list sources and to index texts, unless that has begun already. When
  // all parts are made, `onMade` is called on another thread. It receives StartResult::Failed if
  // the configuration is wrong and does not say to keep going: waitUntilMade() throws from then on.
  // Call it on the thread that made the host. `serve` receives the routes of plugins that answer
  // HTTP requests, on that other thread.
  enum class StartResult : std::uint8_t { Succeeded, Failed };
  void begin(std::function<void(StartResult)> onMade = {}, ServeHttpPlugin serve = {});
  // Returns true if `serve` will not be called any more. Any thread.
  bool hasServedPlugins() const noexcept { return httpPlugins_.areMade(); }
  // Waits until the callback of begin() has returned. If a plugin's create() takes long, gives it
  // up after a second. No further plugin is made, by a reload either. Call it on the thread that
  // made the host.
  void finishBeginning();
  // Begins like begin(), and waits until all configured parts are made, but, except in an
  // Inspector, not for a plugin that delays them for seconds. Throws std::runtime_error that says
  // what is configured wrongly, unless the configuration says to keep going.
  void waitUntilMade();
  // Waits like waitUntilMade(); returns false if that would throw.
  bool isMade();
  // Returns true if something is configured wrongly, so that waitUntilMade() throws. Any thread.
  bool hasFailed() const noexcept { return start_ == Start::Failed; }
  // Returns true if the start can no longer fail: all parts are made, or a plugin has delayed it
  // for seconds. Does not block. Call it after begin(), on the same thread.
  bool isSettled();
  // Returns the store that replicas share, and makes it at the first call; null: this process
  // shares nothing. If it cannot be made, a server throws std::runtime_error, and a command, which
  // continues without it, gets a failure. Call it on the thread that made the host.
  ShareState::result_type share();
  // Makes the access layer: asks the auth plugin whether it can do its work. The constructor of a
  // server does this. A command calls it, at most once, to find out whether a server could start.
  // Throws as makeAccess() does.
  void guard();
  // When all sources have answered, logs each category in access.visibility that no skill has, and
  // each pattern of include_skills and exclude_skills that no skill matches. Does not block.
  void logUnknownNames();
  const Access &access() const noexcept { return *access_; } // of a server

  Server &server() noexcept { return *server_; }
  Library &library() noexcept { return library_; }
  Index *index() noexcept { return index_.get(); } // null without search
  PluginRegistry &plugins() noexcept { return plugins_; }
  // Returns the skills that filters withhold, as far as they are listed. Any thread.
  std::vector<WithheldSkill> withheld() const { return withheldBy(filters_); }
  // Makes filters read their files again. Errors are logged. Any thread.
  void reloadFilters();
  // Returns what the parts of this host report at /readyz. Valid as long as the host lives.
  std::vector<ReadinessReport> readiness() const;
  // Logs the number of withheld skills when it is known.
  void logWithheld();
  // The changes by a new configuration of the sources and of the rules.
  struct Reconfigured {
    std::vector<std::string> added, removed, changed; // sources
    // Changed settings of the rules that decide which skills are served.
    std::vector<std::string> skillRules;
    bool rules = false, order = false; // of visibility; of the sources
    bool minScore = false;             // of search; no part is made or listed again for it
    bool any() const noexcept {
      return rules || order || !added.empty() || !removed.empty() || !changed.empty() ||
             !skillRules.empty();
    }
  };
  // Applies the sources of `next`, in its order, its rules of visibility, its rules for which
  // skills are served, and its search.min_score. A source with the same configuration continues;
  // other rules are applied to its skills. The failure says what is configured wrongly; then
  // nothing has changed. Waits for the sources and the search to be made and for the catalogue, but
  // neither for other plugins nor for listings.
  // The rest of `next` is ignored. Call it after guard(), on one thread at a time. Throws only if
  // memory runs out.
  Result<Reconfigured> reconfigure(const Configuration &next);

  // Waits until the catalogue exists, the plugins with tools have listed them and, with
  // `searchToo`, the catalogue is indexed. Throws like waitUntilMade().
  void waitUntilReady(bool searchToo);

private:
  void logUnknownSkills(const Configuration &configuration) const;
  void checkShared();
  ServerParts serverParts();
  void addModules();
  void listenToCatalogue();
  void registerMetrics();
  bool isServer() const noexcept { return role_ == Role::Replica || role_ == Role::Stdio; }
  void makeAll(const ServeHttpPlugin &serve);
  void beginSources();
  void waitForFirstList();
  void beginSearch();
  // Make the other plugins, each on a thread of its own, and return what is configured wrongly.
  // They use no part of the configuration that reconfigure() changes.
  std::string beginTools();
  std::string beginObservers();
  std::string beginHttpPlugins(const ServeHttpPlugin &serve);
  void noteWrongs(const std::string &more);
  bool fails();
  void noteFailedStart(const std::exception &why) noexcept;
  // Returns the searchable texts of these skills.
  SearchableEntries searchables(const std::shared_ptr<const Catalogue> &catalogue) const;
  void indexAll(const std::shared_ptr<const Catalogue> &catalogue);

  // A source that is served, and the configuration that it was made from.
  struct Served {
    SourceConfiguration configuration;
    std::shared_ptr<Source> source;
    bool isAbsent = false; // it could not be made, for a reason outside the configuration
  };
  // Sources of a configuration that are new or changed, by name.
  using SourcesByName = std::map<std::string, Served>;
  // Makes the source, wrapped by `wrappers`. Appends errors in its configuration to `wrong`.
  Served makeSource(const Configuration &configuration, const SourceConfiguration &one,
                    const SourceWrappers &wrappers, std::string &wrong);
  Served *served(const std::string &name); // null if there is none
  // Fails with what is wrong; then nothing has changed.
  Result<SourcesByName> makeOthers(const Configuration &next, const SourceWrappers &wrappers);
  void restore(const std::vector<std::string> &names);
  // Waits until the catalogue has these sources and rules. If `rules` is null, they stay. If
  // `taking` is not empty, it is called just before, perhaps more than once.
  void publish(const std::vector<Library::Next> &sources,
               std::shared_ptr<const SkillRules> skillRules, const Visibility::Prepared &rules,
               const std::function<void()> &taking);
  static void warnOfNone();

  const Role role_;
  Configuration configuration_; // reconfigure() changes its sources and rules
  const Features features_;     // destroyed after all parts that they observe
  PluginRegistry plugins_;
  ObserverPlugins observerPlugins_;
  HttpPlugins httpPlugins_;
  const Observers observers_; // the features and the observer plugins
  // Live longer than the sources, whose executors use them.
  SourceFilters filters_;
  SourceWrappers wrappers_; // of configuration_
  Library library_;
  const std::shared_ptr<SearchFloor> floor_ = std::make_shared<SearchFloor>();
  std::unique_ptr<Index> index_;             // of all skills
  std::unique_ptr<ViewIndexes> viewIndexes_; // null without a search
  const SharedStoreKinds sharedStores_;      // the kinds that were built
  std::shared_ptr<SharedStore> shared_;      // null if nothing is shared
  std::unique_ptr<Access> access_;           // null unless guard() has made it
  std::unique_ptr<Server> server_;
  std::vector<std::shared_ptr<ToolProvider>> tools_;
  std::vector<Served> served_; // in order; used by the thread that begins, then by reconfigure()
  // Has a line for each error in the configuration. Only the thread of the start uses it.
  std::string configurationErrors_;
  enum class Start : std::uint8_t { Undecided, Failed, Late };
  std::chrono::steady_clock::time_point begun_;
  std::atomic<Start> start_{Start::Undecided}; // Late: errors no longer end the start
  std::promise<void> sourcesMade_;             // and the search
  const std::shared_future<void> reconfigurable_ = sourcesMade_.get_future().share();
  std::promise<std::string> made_;
  std::shared_future<std::string> madeSoon_ = made_.get_future().share();
  std::thread beginning_;
  std::vector<metrics::Registry::Collector> collectors_; // they read the parts above
  Modules modules_;                                      // last, because they stop the parts above
};

} // namespace skillhost::app
