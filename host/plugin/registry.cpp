// SPDX-License-Identifier: Apache-2.0
#include "plugin/registry.hpp"

#include "auth_instance.hpp"
#include "base/log.hpp"
#include "ground/guarded.hpp"
#include "http_instance.hpp"
#include "instance.hpp"
#include "observer_instance.hpp"
#include "plugin_calls/cache_directory.hpp"
#include "plugin_calls/library.hpp"
#include "plugin_files.hpp"
#include "search_instance.hpp"
#include "source_instance.hpp"
#include "started_program.hpp"
#include "state_instance.hpp"
#include "tools_instance.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string_view>

namespace skillhost {

std::string_view name(PluginState state) noexcept {
  constexpr std::array<std::string_view, 9> names{"found",  "incompatible",    "unconfigured",
                                                  "loaded", "degraded",        "failed",
                                                  "broken", "crashed at scan", "not used"};
  return names[static_cast<std::size_t>(state)];
}

class PluginRegistry::Implementation {
public:
  Implementation(const std::vector<std::string> &builtIn, PluginSettings settings)
      : files_(builtIn, std::move(settings)) {
    publish();
  }

  Result<std::shared_ptr<Instance>> make(InstanceConfiguration configuration, std::string_view kind,
                                         SettingProblems *problemsOut) {
    SettingProblems problems;
    Made entry;
    entry.description.instance = configuration.name;
    entry.description.id = configuration.plugin;
    entry.description.kind = kind;
    const Result<const skh_plugin *> plugin = prepare(configuration, kind, entry, problems);
    // Without the lock, because create() may take long and nobody else has to wait for it.
    Result<std::shared_ptr<Instance>> made =
        plugin ? Instance::create(**plugin, configuration, &problems, entry.isolatedPlugin,
                                  &creations_)
               : Result<std::shared_ptr<Instance>>(plugin.failure());
    if (made) {
      entry.instance = *made;
      entry.wasMade = true;
    } else {
      entry.description.state = PluginState::Failed;
      entry.description.reason = made.failure().message;
    }
    made_.with([&](std::vector<Made> &all) {
      // An instance that was replaced is described no more.
      std::erase_if(all, [&](const Made &one) {
        return one.wasMade ? one.instance.expired()
                           : one.description.instance == entry.description.instance;
      });
      all.push_back(std::move(entry));
    });
    if (problemsOut != nullptr) *problemsOut = std::move(problems);
    return made;
  }

  Creations &creations() noexcept { return creations_; }

  bool keepsFolder(const std::string &instance) {
    const std::scoped_lock lock(mutex_);
    return std::any_of(caches_.begin(), caches_.end(), [&](const auto &one) {
      return one.first[0] == instance && !one.second.path.empty() && !one.second.ours.expired();
    });
  }

  void removeUnusedCaches(const std::string &start) {
    const std::scoped_lock lock(mutex_);
    if (!files_.settings().cacheDirectory.empty()) removeUnusedCacheDirectories(allCaches(), start);
  }

  void waitUntilStarted(Deadline deadline) const {
    std::vector<std::shared_ptr<Instance>> all;
    made_.with([&](const std::vector<Made> &made) {
      for (const Made &one : made)
        if (auto instance = one.instance.lock()) all.push_back(std::move(instance));
    });
    for (const auto &one : all) one->waitUntilStarted(deadline);
  }

  std::vector<PluginDescription> describe(bool examineNew) {
    if (examineNew) {
      const std::scoped_lock lock(mutex_);
      for (auto &[path, file] : files_.all()) files_.examine(path, file);
      publish();
    }
    const std::shared_ptr<const Files> files = known_.copy();
    std::vector<PluginDescription> all;
    Configured configured;
    made_.with([&](const std::vector<Made> &instances) {
      for (const Made &made : instances) {
        PluginDescription one = made.description;
        const auto instance = made.instance.lock();
        if (made.wasMade && !instance) continue; // the instance has ended
        if (instance) one = instance->describe();
        one.file = made.description.file;
        one.isolation = made.description.isolation;
        one.network = made.description.network;
        if (made.isolatedPlugin) one.confinement = made.isolatedPlugin->confinement();
        if (const std::string why =
                made.isolatedPlugin ? made.isolatedPlugin->absence() : std::string();
            !why.empty() && one.state == PluginState::Loaded) {
          one.state = PluginState::Degraded;
          one.reason = why;
        }
        configured.emplace(one.file, one.id);
        all.push_back(std::move(one));
      }
    });
    for (const auto &[path, file] : *files) describeFile(path, file, configured, *files, all);
    std::stable_sort(all.begin(), all.end(),
                     [](const auto &a, const auto &b) { return a.file < b.file; });
    return all;
  }

private:
  using Files = std::map<std::string, PluginFile>;
  using Configured = std::set<std::pair<std::string, std::string>>; // file and id
  struct Made {
    std::shared_ptr<IsolatedPlugin> isolatedPlugin; // shared with the instance
    std::weak_ptr<Instance> instance;
    PluginDescription description; // used if there is no instance
    bool wasMade = false;          // an instance exists or existed
  };
  // A folder that an instance of this process has or had.
  struct Cache {
    std::string path;
    std::weak_ptr<const void> ours;
  };

  // The caller holds the lock.
  Result<PluginFiles::Found> findFile(const InstanceConfiguration &configuration,
                                      std::string_view kind, SettingProblems &problems) {
    Result<PluginFiles::Found> found = files_.find(configuration.plugin, kind);
    publish();
    if (found) return found;
    if (found.failure().fault == Fault::NotFound)
      problems.push_back(files_.missing(configuration.plugin, kind));
    return Failure{found.failure().fault, configuration.name + ": " + found.failure().message};
  }

  // Adds a setting that the plugin knows and that nobody has set.
  static void add(const std::string &key, const Json &value, InstanceConfiguration &configuration,
                  const PluginFacts &facts) {
    const Json schema = Json::parse(facts.configSchema.value_or(""), nullptr, false);
    Json config = Json::parse(configuration.config, nullptr, false);
    const Json::json_pointer property("/properties/" + key);
    if (!schema.is_object() || !schema.contains(property)) return;
    if (!config.is_object() || config.contains(key)) return;
    config[key] = value;
    configuration.config = config.dump();
  }

  // Finds the plugin and decides where it runs.
  Result<const skh_plugin *> prepare(InstanceConfiguration &configuration, std::string_view kind,
                                     Made &entry, SettingProblems &problems) {
    const std::scoped_lock lock(mutex_);
    const auto failed = [&](const Failure &why) -> Failure {
      return {why.fault, configuration.name + ": " + why.message};
    };
    const Result<PluginFiles::Found> found = findFile(configuration, kind, problems);
    if (!found) return found.failure();
    // A plugin has to try its rights where the host's keys are.
    if (!configuration.keyPrefix.empty())
      add("check_prefix", configuration.keyPrefix, configuration, found->plugin->facts);
    if (configuration.plugin == automaticPlugin)
      add("automatic", true, configuration, found->plugin->facts);
    entry.description.id = found->plugin->facts.id;
    entry.description.file = found->path;
    const bool isHeld = configuration.run.network.mode != NetworkRule::Mode::Auto;
    if (isHeld && configuration.run.isolation == Isolation::Thread) {
      problems.push_back(
          {"network",
           "with isolation: thread the plugin runs in the server's process, whose network cannot "
           "be restricted: remove network or isolation, or write isolation: process"});
      return failed({Fault::InvalidInput, render(problems)});
    }
    if (keepsFiles(*found) && configuration.cacheDirectory.empty())
      takeCache(configuration, *found);
    const bool isIsolated = runsInProcess(configuration, *found);
    entry.description.isolation = isIsolated ? "process" : "thread";
    entry.description.network = networkOf(configuration.run.network, isIsolated,
                                          (found->plugin->facts.flags & SKH_NETWORK) != 0);
    if (!isIsolated) {
      Result<const skh_plugin *> plugin = files_.load(*found);
      return plugin ? plugin : failed(plugin.failure());
    }
    const PluginIsolation *const isolation = files_.settings().isolation.get();
    if (isolation == nullptr)
      return failed({Fault::NotImplemented,
                     "the plugin must run in a process of its own: " + std::string(noIsolation)});
    IsolatedPluginSetup setup;
    setup.file = found->path;
    setup.copy = found->file->copy;
    setup.version = SKILLHOST_VERSION;
    warnOfMissing(configuration);
    setup.mayRead = configuration.run.allowRead;
    setup.network = configuration.run.network;
    setup.memoryBytes = std::uint64_t{configuration.run.memoryMegabytes} << 20U;
    setup.cacheBytes = std::uint64_t{configuration.run.cacheMegabytes} << 20U;
    setup.pinMode = static_cast<std::int32_t>(configuration.pin.mode);
    setup.pinned = configuration.pin.snapshot;
    setup.threads = static_cast<std::uint32_t>(configuration.run.threads);
    if (configuration.upstream) setup.upstream = configuration.upstream->name();
    entry.isolatedPlugin = isolation->runIsolated(found->plugin->facts, std::move(setup));
    return &entry.isolatedPlugin->descriptor();
  }

  // True if the plugin has files to keep. Among our own plugins these are the ones that fetch
  // (except state plugins, which keep what is shared elsewhere), the store, which remembers what it
  // has served, and the search plugins that can say what they hold (held.h). The others would leave
  // an empty folder each.
  static bool keepsFiles(const PluginFiles::Found &found) {
    const PluginFacts &facts = found.plugin->facts;
    return !found.file->isTrusted ||
           ((facts.flags & SKH_NETWORK) != 0 && facts.kind != stateKind) ||
           (facts.kind == searchKind && facts.has("extension")) ||
           facts.id == "org.skillhost.store";
  }

  // A thread of the host can reach everything, whatever its plugin declares.
  static std::string networkOf(const NetworkRule &rule, bool isIsolated, bool asks) {
    if (!isIsolated || (asks && rule.mode == NetworkRule::Mode::Auto)) return "any";
    return asks ? rule.text() : "none";
  }

  // A source with sockets reads what strangers send. If strangers reach the host as well, a fault
  // in that source must not give them the host's process.
  bool readsStrangers(const PluginFacts &facts) const {
    return files_.settings().reachable && facts.kind == sourceKind &&
           (facts.flags & SKH_NETWORK) != 0;
  }

  // Returns why a process of its own would not work here; empty if it would. Called with its cache
  // folder taken.
  std::string whyNotIsolated(const InstanceConfiguration &configuration,
                             const std::string &file) const {
    const PluginIsolation *const isolation = files_.settings().isolation.get();
    if (isolation == nullptr) return std::string(noIsolation);
    return isolation->whyNotAsRoot({.file = file,
                                    .config = configuration.config,
                                    .mayRead = configuration.run.allowRead,
                                    .cacheDirectory = configuration.cacheDirectory});
  }

  // True if the instance runs in a process of its own. Called with its cache folder taken.
  bool runsInProcess(const InstanceConfiguration &configuration,
                     const PluginFiles::Found &found) const {
    const PluginFacts &facts = found.plugin->facts;
    const bool chosen = configuration.run.isolation != Isolation::Auto;
    const bool isHeld = configuration.run.network.mode != NetworkRule::Mode::Auto;
    if (chosen ? configuration.run.isolation == Isolation::Thread
               : found.file->isTrusted && !isHeld && !readsStrangers(facts))
      return false;
    const std::string program =
        startedProgram(facts.configSchema.value_or(std::string()), configuration.config);
    // An explicit setting is followed, and fails if that is impossible.
    const bool stays = !chosen && !isHeld && found.file->isTrusted;
    if (program.empty()) {
      const std::string why = stays ? whyNotIsolated(configuration, found.path) : std::string();
      if (!why.empty())
        log::warning("plugin", configuration.name +
                                   ": the plugin runs in the server's own process, although other "
                                   "machines can reach this server, because " +
                                   why + "; write isolation: thread to accept this");
      return why.empty();
    }
    log::warning(
        "plugin",
        configuration.name + ": its configuration makes it start a program (" + program +
            "), which a plugin in a process of its own may not do: " +
            (stays ? "the plugin runs in the server's own process, although other machines can "
                     "reach this server; write isolation: thread to accept this"
                   : "the start of the program will fail; write isolation: thread to allow it"));
    return !stays;
  }

  // A path that does not exist is most likely a typing error, and then the plugin's complaint that
  // it may not read something is hard to understand.
  static void warnOfMissing(const InstanceConfiguration &configuration) {
    for (const std::string &path : configuration.run.allowRead) {
      std::error_code unknown;
      if (std::filesystem::exists(path, unknown)) continue;
      log::warning("plugin", configuration.name + ": allow_read: " + path +
                                 " does not exist; create it, and restart the server");
    }
  }

  // Publishes the files for describe(), which must not wait for a scan. The caller holds the lock.
  void publish() {
    auto files = std::make_shared<const Files>(files_.all());
    known_.with([&](auto &current) { current.swap(files); });
  }

  // True if a thread of the instance of that name is lost, and may come back.
  bool stillRuns(const std::string &name) const {
    return made_.with([&](const std::vector<Made> &all) {
      return std::any_of(all.begin(), all.end(), [&](const Made &one) {
        const auto instance = one.instance.lock();
        return instance && instance->name() == name && instance->lostThreads() != 0;
      });
    });
  }

  std::string allCaches() const {
    const std::filesystem::path scans = files_.settings().cacheDirectory;
    return (scans.parent_path() / "instances").string();
  }

  // Takes a folder, beside what the scans keep, for this plugin under this name.
  void takeCache(InstanceConfiguration &configuration, const PluginFiles::Found &found) {
    const std::string &scans = files_.settings().cacheDirectory;
    if (scans.empty() || configuration.name.empty() || configuration.name.front() == '.') return;
    // No id of ours equals the text for a plugin that is not ours, whatever id that gives itself.
    const PluginFacts &facts = found.plugin->facts;
    const std::string plugin = (found.file->isTrusted ? "" : "foreign ") + facts.id;
    // An instance that replaces another one goes on with what that has fetched, unless that still
    // runs.
    Cache &before = caches_[{configuration.name, plugin, configuration.cacheMark}];
    std::shared_ptr<const void> ours = before.ours.lock();
    if (!ours || stillRuns(configuration.name)) {
      CacheDirectory cache = takeCacheDirectory(allCaches(), configuration.name, plugin,
                                                configuration.cacheMark, facts.flags);
      before = {cache.path, cache.ours};
      ours = std::move(cache.ours);
    }
    configuration.cacheDirectory = before.path;
    configuration.cacheOurs = std::move(ours);
  }

  void describeFile(const std::string &path, const PluginFile &file, const Configured &configured,
                    const Files &files, std::vector<PluginDescription> &all) const {
    PluginDescription one;
    one.file = path;
    if (!file.refusal.empty() || !file.isExamined) {
      one.state = file.refusal.empty() ? PluginState::Found
                  : file.crashed       ? PluginState::CrashedAtScan
                                       : PluginState::Incompatible;
      one.reason = file.refusal;
      all.push_back(one);
    }
    for (const FoundPlugin &plugin : file.plugins) {
      if (configured.contains({path, plugin.facts.id})) continue;
      one.kind = plugin.facts.kind;
      one.id = plugin.facts.id;
      one.version = plugin.facts.version;
      one.summary = plugin.facts.summary;
      one.licence = plugin.facts.licence;
      const bool known = one.kind == sourceKind || one.kind == searchKind ||
                         one.kind == toolsKind || one.kind == authKind || one.kind == stateKind ||
                         one.kind == observerKind || one.kind == httpKind;
      one.state = known ? PluginState::Unconfigured : PluginState::Incompatible;
      const bool stays = file.isTrusted && (!readsStrangers(plugin.facts) ||
                                            !whyNotIsolated(InstanceConfiguration{}, path).empty());
      one.isolation = !known ? "" : stays ? "thread" : "process";
      one.reason = known ? "" : "this host knows no plugins of kind " + one.kind;
      if (const std::string used = PluginFiles::fileOf(files, plugin.facts);
          known && used != path) {
        one.state = PluginState::NotUsed;
        one.reason = used + " has the same id";
      }
      all.push_back(one);
    }
  }

  std::mutex mutex_; // guards files_; held while a file is examined, which may take seconds
  PluginFiles files_;
  std::map<std::array<std::string, 3>, Cache> caches_; // by instance, plugin and mark; see mutex_
  Guarded<std::shared_ptr<const Files>> known_;
  Guarded<std::vector<Made>> made_;
  Creations creations_;
};

std::string lockText(const std::vector<std::string> &files) { return PluginLock::write(files); }

PluginRegistry::PluginRegistry(const std::vector<std::string> &builtIn, PluginSettings settings)
    : implementation_(std::make_unique<Implementation>(builtIn, std::move(settings))) {}
PluginRegistry::~PluginRegistry() = default;

Result<std::shared_ptr<Source>>
PluginRegistry::makeSource(const InstanceConfiguration &configuration, SettingProblems *problems) {
  Result<std::shared_ptr<Instance>> made =
      implementation_->make(configuration, sourceKind, problems);
  if (!made) return std::move(made).failure();
  return std::shared_ptr<Source>(std::make_shared<SourceInstance>(*std::move(made)));
}

Result<std::shared_ptr<SearchBackend>>
PluginRegistry::makeSearch(const InstanceConfiguration &configuration, SettingProblems *problems) {
  Result<std::shared_ptr<Instance>> made =
      implementation_->make(configuration, searchKind, problems);
  if (!made) return std::move(made).failure();
  return std::shared_ptr<SearchBackend>(std::make_shared<SearchInstance>(*std::move(made)));
}

Result<std::shared_ptr<ToolProvider>>
PluginRegistry::makeTools(const InstanceConfiguration &configuration, SettingProblems *problems) {
  Result<std::shared_ptr<Instance>> made =
      implementation_->make(configuration, toolsKind, problems);
  if (!made) return std::move(made).failure();
  return std::shared_ptr<ToolProvider>(std::make_shared<ToolsInstance>(*std::move(made)));
}

Result<std::shared_ptr<AuthProvider>>
PluginRegistry::makeAuth(const InstanceConfiguration &configuration, SettingProblems *problems) {
  Result<std::shared_ptr<Instance>> made = implementation_->make(configuration, authKind, problems);
  if (!made) return std::move(made).failure();
  return std::shared_ptr<AuthProvider>(std::make_shared<AuthInstance>(*std::move(made)));
}

Result<std::shared_ptr<StateBackend>>
PluginRegistry::makeState(const InstanceConfiguration &configuration, SettingProblems *problems) {
  Result<std::shared_ptr<Instance>> made =
      implementation_->make(configuration, stateKind, problems);
  if (!made) return std::move(made).failure();
  return std::shared_ptr<StateBackend>(std::make_shared<StateInstance>(*std::move(made)));
}

Result<std::shared_ptr<ObserverPlugin>>
PluginRegistry::makeObserver(const InstanceConfiguration &configuration,
                             SettingProblems *problems) {
  Result<std::shared_ptr<Instance>> made =
      implementation_->make(configuration, observerKind, problems);
  if (!made) return std::move(made).failure();
  return std::shared_ptr<ObserverPlugin>(std::make_shared<ObserverInstance>(*std::move(made)));
}

Result<std::shared_ptr<HttpPlugin>>
PluginRegistry::makeHttp(const InstanceConfiguration &configuration, SettingProblems *problems) {
  Result<std::shared_ptr<Instance>> made = implementation_->make(configuration, httpKind, problems);
  if (!made) return std::move(made).failure();
  return std::shared_ptr<HttpPlugin>(std::make_shared<HttpInstance>(*std::move(made)));
}

void PluginRegistry::stopMaking() { implementation_->creations().stop(); }

bool PluginRegistry::stopsMaking() const { return implementation_->creations().stopped(); }

bool PluginRegistry::keepsFolder(const std::string &instance) const {
  return implementation_->keepsFolder(instance);
}

void PluginRegistry::waitUntilStarted(Deadline deadline) const {
  implementation_->waitUntilStarted(deadline);
}

void PluginRegistry::removeUnusedCaches(const std::string &start) {
  implementation_->removeUnusedCaches(start);
}

std::vector<PluginDescription> PluginRegistry::describe(bool examineNew) {
  return implementation_->describe(examineNew);
}

} // namespace skillhost
