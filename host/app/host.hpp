// SPDX-License-Identifier: Apache-2.0
// A running host: the parts, wired by a configuration, and their orderly end.
#pragma once

#include "access/access.hpp"
#include "app/configuration.hpp"
#include "app/source_filter.hpp"
#include "base/metrics.hpp"
#include "base/readiness.hpp"
#include "features.hpp"
#include "mcp/server.hpp"
#include "mcp/view_indexes.hpp"
#include "modules.hpp"
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
  // Alone: for a command that is run once. It begins at once, asks nobody who it is, and shares
  // nothing but what filters ask for, whatever the configuration names. Replica: for many clients;
  // it makes what replicas share, where the configuration names it, and asks whether the engine can
  // be reached: when it is away, that is a warning. Stdio: for one client; it shares nothing. A
  // Replica and Stdio do guard(), load no other plugin, and wait for begin(). What cannot be made
  // for a reason outside the configuration is logged and left out; but every source is served
  // through all of `filters`. `executable` is the program's absolute path. Throws
  // std::runtime_error when a filter cannot be made, when the plugin of the state is missing or
  // cannot be made, or a setting is wrong; and what guard() throws.
  enum class Role : std::uint8_t { Alone, Replica, Stdio };
  Host(const Configuration &configuration, const std::string &executable,
       const FilterKinds &filters, Role role = Role::Alone, Features features = {});
  // Waits for what has begun, then stops the modules: who asks before who answers.
  ~Host();
  Host(const Host &) = delete;
  Host &operator=(const Host &) = delete;

  // Begins to load plugins, to list sources and to index texts, when that has not begun. When all
  // of them are made, `onMade` is called on another thread. It is told StartResult::Failed if the
  // configuration turned out to be wrong and does not say to keep going: awaitMade() throws from
  // then on. On the thread that made the host.
  enum class StartResult : std::uint8_t { Succeeded, Failed };
  void begin(std::function<void(StartResult)> onMade = {});
  // Waits until the callback of begin() has returned. On the thread that made the host.
  void finishBeginning();
  // Begins as begin() does, and waits until everything that the configuration names is made, but
  // not for a plugin that keeps it waiting for seconds. Throws std::runtime_error with what is
  // configured wrongly, unless the configuration says to keep going.
  void awaitMade();
  // Waits as awaitMade() does; false: that would throw.
  bool isMade();
  // Something is configured wrongly, so that awaitMade() throws. Any thread.
  bool failed() const noexcept { return start_ == Start::Failed; }
  // True if the start cannot fail any more: all is made, or a plugin has kept it waiting for
  // seconds. Does not wait. After begin(), on the same thread.
  bool isSettled();
  // Null: there is none.
  SharedState *shared() const noexcept { return shared_.get(); }
  // Asks the auth plugin whether it can do its work. A server has done so when it is made, and lets
  // nobody in whom the plugin does not know; for a command that asks whether a server could start.
  // Once. Throws as makeAccess() does.
  void guard();
  // The log names each category in access.visibility that no skill has, and each pattern of
  // include_skills and exclude_skills that no skill matches, once all sources have answered. Does
  // not wait.
  void tellUnknownNames();
  const Access &access() const noexcept { return *access_; } // of a server

  Server &server() noexcept { return *server_; }
  Library &library() noexcept { return library_; }
  Index *index() noexcept { return index_.get(); } // null when there is no search
  PluginRegistry &plugins() noexcept { return plugins_; }
  // Returns the skills that filters withhold, as far as they are listed. Any thread.
  std::vector<WithheldSkill> withheld() const { return withheldBy(filters_); }
  // Has filters read their files again; the log says what is wrong with them. Any thread.
  void reloadFilters();
  // Returns what the parts of this host report at /readyz. Valid as long as the host lives.
  std::vector<ReadinessReport> readiness() const;
  // Has the log say how many skills are withheld, once that is known.
  void logWithheld();
  // What a new configuration of the sources and of the rules has come to.
  struct Reconfigured {
    std::vector<std::string> added, removed, changed; // sources
    std::vector<std::string> skillRules; // the settings of which skills are served that differ
    bool rules = false, order = false;   // of visibility; of the sources
    bool minScore = false;               // of search; nothing is made or listed anew for it
    bool any() const noexcept {
      return rules || order || !added.empty() || !removed.empty() || !changed.empty() ||
             !skillRules.empty();
    }
  };
  // Serves the sources of `next`, in its order, by its rules of visibility and of which skills are
  // served, and searches by its search.min_score; what is configured as before goes on as it was,
  // and is judged anew by other rules. The failure says what is configured wrongly, and then all is
  // as it was. Waits for plugins to be made and for the catalogue, not for listings. The rest of
  // `next` is not looked at. After guard(), on one thread at a time. Throws only when memory is
  // out.
  Result<Reconfigured> reconfigure(const Configuration &next);

  // Throws as awaitMade() does. Waits until the catalogue stands, the plugins with tools have
  // listed them and, with `searchToo`, until it is indexed.
  void waitUntilReady(bool searchToo);

private:
  void tellUnknownSkills(const Configuration &configuration) const;
  ShareState::result_type share();
  void checkShared();
  ServerParts serverParts();
  void addModules();
  void listenToCatalogue();
  void tellFigures();
  void makeAll();
  void beginSources();
  void beginTools();
  void waitForFirstList();
  void beginSearch();
  bool fails();
  void noteFailedStart(const std::exception &why) noexcept;
  // What is to be found of these skills.
  Searchables searchables(const std::shared_ptr<const Catalogue> &catalogue) const;
  void indexAll(const std::shared_ptr<const Catalogue> &catalogue);

  // A source that is served, and what it was made of.
  struct Served {
    SourceConfiguration configuration;
    std::shared_ptr<Source> source;
    bool isAbsent = false; // it could not be made, for a reason outside the configuration
  };
  // Those of a configuration that are not served yet, or otherwise, by name.
  using Made = std::map<std::string, Served>;
  // Makes the source as these let it through. Adds what is wrong with its configuration to `wrong`.
  Served makeSource(const Configuration &configuration, const SourceConfiguration &one,
                    const SourceWrappers &wrappers, std::string &wrong);
  Served *served(const std::string &name); // null: there is none
  // The failure says what is wrong; then all is as before.
  Result<Made> makeOthers(const Configuration &next, const SourceWrappers &wrappers);
  void restore(const std::vector<std::string> &names);
  // Waits until the catalogue is that of these sources and rules; null: the rules stay. `taking` is
  // called just before, perhaps more than once; empty: nothing is.
  void publish(const std::vector<Library::Next> &sources,
               std::shared_ptr<const SkillRules> skillRules, const Visibility::Prepared &rules,
               const std::function<void()> &taking);
  static void warnOfNone();

  const Role role_;
  Configuration configuration_; // of it the sources and the rules change, with reconfigure()
  const Features features_;     // destroyed after all that they observe
  PluginRegistry plugins_;
  SourceFilters filters_;   // longer than the sources, whose executors use them
  SourceWrappers wrappers_; // of configuration_
  Library library_;
  const std::shared_ptr<SearchFloor> floor_ = std::make_shared<SearchFloor>();
  std::unique_ptr<Index> index_;             // of all skills
  std::unique_ptr<ViewIndexes> viewIndexes_; // null as well when there is no search
  // Null when nothing is shared.
  std::shared_ptr<SharedState> shared_;
  std::unique_ptr<Access> access_; // null when nobody serves
  std::unique_ptr<Server> server_;
  std::vector<std::shared_ptr<ToolProvider>> tools_;
  std::vector<Served> served_; // in order; of the thread that begins, then of reconfigure()
  std::string wrong_;          // one problem of the configuration a line; of the thread that begins
  enum class Start : std::uint8_t { Undecided, Failed, Late };
  std::chrono::steady_clock::time_point begun_;
  std::atomic<Start> start_{Start::Undecided}; // Late: nobody waits for what is wrong any more
  std::promise<std::string> made_;
  std::shared_future<std::string> madeSoon_ = made_.get_future().share();
  std::thread beginning_;
  std::vector<metrics::Registry::Collector> collectors_; // they ask the parts above
  Modules modules_;                                      // last: they stop the parts above
};

} // namespace skillhost::app
