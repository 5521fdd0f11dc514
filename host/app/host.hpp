// SPDX-License-Identifier: Apache-2.0
// Makes the parts of a host by a configuration, connects them, and ends them in order.
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
  // Says for what the host is made.
  // - Alone: a command that runs once and needs skills. The constructor calls begin(). The host
  //   identifies no callers, makes the shared store only if a filter asks for it, and makes no
  //   plugins with tools, observers or HTTP handlers.
  // - Inspector: a command that reports about plugins. As Alone, but the host makes these plugins,
  //   too, waits for all of them, and checks that no two HTTP handlers claim the same path.
  // - Replica: a server for many clients. The constructor calls makeAccessLayer() and makes the
  //   store that replicas share, if one is configured; if its engine cannot be reached, it logs a
  //   warning. It loads no other plugin before begin().
  // - Stdio: a server for one client. As Replica, but without a shared store.
  enum class Role : std::uint8_t { Alone, Inspector, Replica, Stdio };
  static constexpr std::chrono::seconds patienceForEngine{10}; // for the check of the shared store
  // A part that cannot be made for a reason outside the configuration is logged and left out, but
  // every source is served through all filters in `built`. `executable` is the program's absolute
  // path. Throws std::runtime_error if a feature that the configuration needs was not built, if a
  // filter or the shared store cannot be made, or if a setting is wrong; and what
  // makeAccessLayer() throws.
  Host(const Configuration &configuration, const std::string &executable, const HostFeatures &built,
       Role role = Role::Alone, Features features = {});
  // Calls finishBeginning(), then stops all parts. A part stops before the parts that it calls.
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
  // Waits until the callback of begin() has returned. Gives up a create() of a plugin that takes
  // more than a second. After that, no plugin is made, not even by reconfigure(). Call it on the
  // thread that made the host.
  void finishBeginning();
  // Calls begin() and waits until all configured parts are made. Only an Inspector waits longer
  // than some seconds for a plugin. Throws std::runtime_error that says what is configured wrongly,
  // unless the configuration says to keep going.
  void waitUntilMade();
  // Waits like waitUntilMade(), but returns false where that would throw.
  bool isMade();
  // Returns true if something is configured wrongly, so that waitUntilMade() throws. Any thread.
  bool hasFailed() const noexcept { return start_ == Start::Failed; }
  // Returns true if the start has succeeded or cannot fail any more: all parts are made, or a
  // plugin has delayed them for seconds. Does not wait. Call it after begin(), on the same thread.
  bool isSettled();
  // Returns the store that replicas share, and makes it at the first call. Null if this process
  // shares nothing. If the store cannot be made, a server throws std::runtime_error; a command,
  // which can go on without it, gets the failure. Call it on the thread that made the host.
  ShareState::result_type sharedStore();
  // Makes the access layer, which asks the auth plugin whether it works. The constructor of a
  // server calls it. A command may call it once, to find out whether a server could start. Throws
  // as makeAccess() does.
  void makeAccessLayer();
  // When all sources have answered, logs each category in access.visibility that no skill has, and
  // each pattern of include_skills and exclude_skills that no skill matches. Does not block.
  void logUnknownNames();
  const Access &access() const noexcept { return *access_; } // only after makeAccessLayer()

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
  // The rest of `next` is ignored. Call it after makeAccessLayer(), on one thread at a time. Throws
  // only if memory runs out.
  Result<Reconfigured> reconfigure(const Configuration &next);

  // Waits until the catalogue exists, the plugins with tools have listed them and, with
  // `searchToo`, the catalogue is indexed. Throws like waitUntilMade().
  void waitUntilReady(bool searchToo);

private:
  // Logs the patterns of include_skills and exclude_skills that no listed skill matches.
  void logUnknownSkills(const Configuration &configuration) const;
  void checkSharedStore();
  ServerParts serverParts();
  void addModules();
  void listenToCatalogue();
  void registerMetrics();
  bool isServer() const noexcept { return role_ == Role::Replica || role_ == Role::Stdio; }

  // The start, on the thread beginning_.
  void makeAll(const ServeHttpPlugin &serve);
  void beginSources();
  void waitForFirstList();
  void beginSearch();
  // Make the other plugins, each on a thread of its own, and return the errors in their
  // configuration. They use no part of the configuration that reconfigure() changes.
  std::string beginTools();
  std::string beginObservers();
  std::string beginHttpPlugins(const ServeHttpPlugin &serve);
  void addConfigurationErrors(const std::string &more);
  // Decides whether errors in the configuration end the start, and returns true if they do. They do
  // not if the host has already served for a while.
  bool mustFail();
  void recordFailedStart(const std::exception &why) noexcept;

  // Returns the searchable texts of these skills.
  SearchableEntries searchableEntries(const std::shared_ptr<const Catalogue> &catalogue) const;
  void indexAll(const std::shared_ptr<const Catalogue> &catalogue);

  // A source that is served, and the configuration that it was made from.
  struct Served {
    SourceConfiguration configuration;
    std::shared_ptr<Source> source;
    bool isAbsent = false; // it could not be made, for a reason outside the configuration
  };
  // Sources of a configuration that are new or changed, by name.
  using SourcesByName = std::map<std::string, Served>;
  // Makes the source, wrapped by `wrappers`. Appends errors in its configuration to `wrong`. If it
  // cannot be made, the result has a source that fails with the reason.
  Served makeSource(const Configuration &configuration, const SourceConfiguration &one,
                    const SourceWrappers &wrappers, std::string &wrong);
  Served *findServed(const std::string &name); // null if there is none
  // Makes the sources of `next` that are new or changed. The failure says what is configured
  // wrongly; then the sources of before serve as before.
  Result<SourcesByName> makeChanged(const Configuration &next, const SourceWrappers &wrappers);
  void restartStopped(const std::vector<std::string> &names);
  // Waits until the catalogue has these sources and rules. A null `skillRules` or `rules` leaves
  // the present ones in force. `beforeServing`, if not empty, is called just before the sources are
  // served, perhaps more than once.
  void publish(const std::vector<Library::NewSource> &sources,
               std::shared_ptr<const SkillRules> skillRules, const Visibility::Prepared &rules,
               const std::function<void()> &beforeServing);
  static void warnAboutMissingSources();

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
  std::unique_ptr<Access> access_;           // null unless makeAccessLayer() has made it
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
