// SPDX-License-Identifier: Apache-2.0
#include "host.hpp"

#include "absent_source.hpp"
#include "access.hpp"
#include "app/process.hpp"
#include "base/log.hpp"
#include "base/process_metrics.hpp"
#include "commandline/progress_line.hpp"
#include "configuration/places.hpp"
#include "filtered_source.hpp"
#include "ground/await.hpp"
#include "ground/counted.hpp"
#include "ground/guarded.hpp"
#include "ground/process.hpp"
#include "ground/sha256.hpp"
#include "instance_configuration.hpp"
#include "needed_features.hpp"
#include "plugin_claims.hpp"
#include "plugin_directories.hpp"
#include "protocol_settings.hpp"
#include "skills/search_texts.hpp"
#include "without_secrets.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::app {
namespace {

SearchableEntry searchable(const Skill &skill, std::shared_ptr<Source> source) {
  SearchTexts texts = searchTextsOf(skill);
  return {skill.id,
          skill.searchRevision,
          std::move(texts.name),
          skill.fields.description,
          std::move(texts.attributes),
          std::move(source),
          skill.entry(),
          skill.bodyOffset};
}

// Calls `make`. An exception, for example because a value from a referenced file is not valid
// UTF-8, is a problem of the configuration of this plugin alone.
template <class Made, class Make>
Result<std::shared_ptr<Made>> madeBy(const Make &make, SettingProblems &problems) {
  try {
    return make();
  } catch (const std::exception &thrown) {
    problems = {{"config", thrown.what()}};
    return Failure{Fault::InvalidInput, thrown.what()};
  }
}

// The start waits this long for plugins to be made, and may fail until then.
constexpr std::chrono::seconds patienceForPlugins{5};

// An error in the configuration ends the start, or prevents that it is applied. After any other
// error, the rest is served.
void reportProblem(const Configuration &configuration, const std::string &what,
                   const std::string &key, const SettingProblems &problems, const Failure &why,
                   std::string &wrong) {
  if (problems.empty())
    return log::write(why.fault == Fault::Cancelled ? LogLevel::Debug : LogLevel::Error, "plugin",
                      what + why.message);
  for (const SettingProblem &problem : problems) {
    const std::string text = located(configuration, key, {problem});
    if (!configuration.keepGoing)
      wrong += (wrong.empty() ? "" : "\n") + text;
    else
      log::error("plugin", text);
  }
}

Json describePlugins(PluginRegistry &plugins) {
  Json all = Json::array();
  for (const PluginDescription &plugin : plugins.describe(false)) {
    Json one = Json::object();
    if (!plugin.instance.empty()) one["instance"] = plugin.instance;
    if (!plugin.id.empty()) one["id"] = plugin.id;
    if (!plugin.version.empty()) one["version"] = plugin.version;
    one["file"] = plugin.file;
    one["state"] = name(plugin.state);
    if (!plugin.reason.empty()) one["reason"] = plugin.reason;
    all.push_back(std::move(one));
  }
  return all;
}

// Returns a hash of all settings that decide which skills are indexed, and how. Each hash has a
// separate index.
std::string searchMark(const Configuration &configuration, const SourceFilters &filters) {
  Json all = {configuration.search.config, configuration.includeSkills, configuration.excludeSkills,
              configuration.skillRules, configuration.names};
  for (const auto &filter : filters)
    for (const Json &one : filter->searchMark(configuration)) all.push_back(one);
  for (const SourceConfiguration &one : configuration.sources) {
    if (!one.enabled) continue;
    all.push_back({one.name, one.plugin, one.config});
    for (const PluginEntry &filter : one.filters)
      if (filter.enabled) all.push_back({one.name, filter.plugin, filter.config});
  }
  leaveOutSecrets(all);
  return sha256Hex(all.dump(-1, ' ', false, Json::error_handler_t::replace)).substr(0, 16);
}

} // namespace

Host::Host(const Configuration &configuration, const std::string &executable,
           const HostFeatures &built, Role role, Features features)
    : role_(role), configuration_(configuration), features_(std::move(features)),
      plugins_(builtInPlugins(executable), pluginSettings(configuration, executable)),
      observerPlugins_(configuration, isServer() ? ObserverPlugins::Delivery::Events
                                                 : ObserverPlugins::Delivery::Nothing),
      httpPlugins_(configuration), observers_(observerPlugins_.with(features_.observers())),
      library_(skillRules(configuration),
               std::chrono::milliseconds(configuration.refresh.debounceMs), observers_),
      index_(configuration.search.plugin == "none"
                 ? nullptr
                 : std::make_unique<Index>(configuration.deadlines.scan, usualRetries, floor_)),
      viewIndexes_(index_ ? std::make_unique<ViewIndexes>(
                                library_, configuration.deadlines.scan,
                                [this](const std::shared_ptr<const Catalogue> &seen) {
                                  return searchableEntries(seen);
                                },
                                floor_)
                          : nullptr),
      sharedStores_(built.sharedStores) {
  floor_->set(configuration.search.minScore);
  addModules();
  // The filters ask for the shared state before a source exists, so that no skill is served that
  // another replica has rejected.
  checkSharedStores(configuration_, sharedStores_);
  auto [made, wrappers] = makeFilters(built.filters, configuration_, [this] {
    auto shared = sharedStore();
    if (!shared) log::error("state", shared.failure().message);
    return shared;
  });
  filters_ = std::move(made);
  wrappers_ = std::move(wrappers);
  if (role_ == Role::Replica) checkSharedStore();
  if (isServer()) makeAccessLayer();
  server_ = std::make_unique<Server>(protocolSettings(configuration_), library_, index_.get(),
                                     viewIndexes_.get(), serverParts());
  listenToCatalogue();
  modules_.add([this] {
    for (const auto &tools : tools_) tools->stop();
  });
  registerMetrics();
  modules_.add([this] { collectors_.clear(); });
  if (!isServer()) begin();
}

// Modules stop in the reverse order: the last one to stop is added first.
void Host::addModules() {
  // Observers stop last, because a plugin that hangs may take its time.
  modules_.add([this] { observerPlugins_.stop(); });
  modules_.add([this] { httpPlugins_.stop(); });
  // The features stop after the parts that call them and report skills.
  modules_.add([this] { features_.stop(); });
  modules_.add([this] { library_.stop(); });
  // The indexes cancel their reads on the sources' executors, which stop after them.
  if (index_) modules_.add([this] { index_->stop(); });
  if (viewIndexes_) modules_.add([this] { viewIndexes_->stop(); });
  // Messages of the state reach the other parts, so it stops while these still exist.
  modules_.add([this] {
    if (shared_) shared_->stop();
  });
  // Filters answer callers who wait until all replicas know a decision.
  modules_.add([this] {
    for (const auto &filter : filters_) filter->stop();
  });
}

ServerParts Host::serverParts() {
  ServerParts parts;
  parts.observers = observers_;
  for (const auto &filter : filters_) {
    for (FeatureTool &tool : filter->tools()) parts.tools.push_back(std::move(tool));
    for (OwnResource &one : filter->resources()) parts.resources.push_back(std::move(one));
  }
  parts.resources.insert(parts.resources.end(), features_.resources().begin(),
                         features_.resources().end());
  parts.access = access_.get();
  parts.withholds = mayWithhold(filters_);
  if (isServer()) parts.shared = shared_;
  parts.describePlugins = [this] { return describePlugins(plugins_); };
  return parts;
}

void Host::listenToCatalogue() {
  library_.onChange([this](const std::shared_ptr<const Catalogue> &now,
                           const std::shared_ptr<const Catalogue> &before) {
    if (index_) indexAll(now);
    if (viewIndexes_) viewIndexes_->catalogueChanged();
    if (now == before) return;
    server_->catalogueChanged(now, before);
    for (const auto &filter : filters_) filter->catalogueChanged(*now);
  });
  library_.whenReady([this] {
    if (library_.catalogue()->entries().size() >= minItemsToGiveBack) giveBackMemory();
  });
  if (!index_) return;
  index_->onLost([this] { indexAll(library_.catalogue()); });
  // Searches wait for the first catalogue of all sources. This is called before any request sees
  // it.
  library_.whenReady([this] {
    index_->expectUpdate();
    viewIndexes_->expectUpdate();
  });
}

void Host::begin(std::function<void(StartResult)> onMade, ServeHttpPlugin serve) {
  if (begun_ != std::chrono::steady_clock::time_point{}) return;
  begun_ = std::chrono::steady_clock::now();
  // This is added before there is a thread: if memory runs out here, nobody would join it.
  modules_.add([this] { finishBeginning(); });
  beginning_ = std::thread([this, onMade = std::move(onMade), serve = std::move(serve)] {
    makeAll(serve);
    made_.set_value(std::move(configurationErrors_)); // needs no memory
    if (onMade) onMade(hasFailed() ? StartResult::Failed : StartResult::Succeeded);
  });
}

void Host::recordFailedStart(const std::exception &why) noexcept {
  try {
    configurationErrors_ = "the start failed: " + reasonOf(why);
    log::error("server", configurationErrors_);
  } catch (const std::exception &) {
    configurationErrors_ = "no memory"; // short enough to need no memory
  }
  start_ = Start::Failed; // even if it is late: without the rest nothing would be served
}

void Host::finishBeginning() {
  // Plugins that are made quickly may still report an error in their configuration.
  constexpr std::chrono::seconds patience{1};
  if (beginning_.joinable()) madeSoon_.wait_for(patience);
  plugins_.stopMaking(); // a reload may be making a plugin, too
  if (beginning_.joinable()) beginning_.join();
}

Host::~Host() = default;

void Host::registerMetrics() {
  metrics::Registry &registry = metrics::all();
  registry.gauge({"skillhost_build_info", {{"version", SKILLHOST_VERSION}}}).set(1);
  collectors_.push_back(collectProcess(registry));
  if (!index_) return;
  metrics::Gauge &indexed = registry.gauge({"skillhost_search_indexed_skills", {}});
  metrics::Gauge &pending = registry.gauge({"skillhost_search_pending_skills", {}});
  collectors_.push_back(registry.collect([this, &indexed, &pending] {
    const IndexProgress progress = index_->progress();
    indexed.set(static_cast<double>(index_->size()));
    pending.set(static_cast<double>(progress.total - std::min(progress.done, progress.total)));
  }));
}

ShareState::result_type Host::sharedStore() {
  const bool shares = role_ != Role::Stdio && configuration_.state.isShared(Transport::Http);
  if (shared_ || !shares) return shared_;
  try {
    shared_ = sharedStores_.front().make(configuration_, plugins_);
  } catch (const std::runtime_error &why) {
    if (isServer()) throw;
    return {Fault::Unavailable, why.what()};
  }
  return shared_;
}

void Host::checkSharedStore() {
  const auto shared = sharedStore();
  if (!shared || !*shared) return;
  if (const Status reached = (*shared)->check(patienceForEngine); !reached)
    log::warning("state",
                 "the server starts without the engine of the shared state, and tries again: " +
                     reached.failure().message);
}

void Host::makeAccessLayer() {
  access_ = makeAccess(configuration_, plugins_, shared_, observers_, filters_);
  // The provider stops while the parts that answer waiting callers still exist.
  if (access_->authenticator() == nullptr) return;
  modules_.add([this] { access_->authenticator()->provider().stop(); });
  for (const auto &filter : filters_) filter->logObstacles();
}

void Host::reloadFilters() {
  for (const auto &filter : filters_) filter->reload();
}

void Host::logUnknownNames() {
  const auto &rules = configuration_.access.visibility;
  if (configuration_.includeSkills.empty() && configuration_.excludeSkills.empty() &&
      std::ranges::all_of(rules, [](const auto &rule) { return rule.categories.empty(); }))
    return;
  // Categories come with the skills. The authors of skills must not be able to prevent a start, and
  // an unreachable source must not delay it.
  library_.whenReady([this] {
    const NameProblems found =
        checkCategories(configuration_, *library_.catalogue(), !withheld().empty());
    for (const std::string &warning : found.warnings) log::warning("access", warning);
    for (const std::string &problem : found.problems) log::error("access", problem);
    logUnknownSkills(configuration_);
  });
}

void Host::logUnknownSkills(const Configuration &configuration) const {
  const NameProblems found = checkNamedSkills(configuration, library_.listed());
  for (const std::string &warning : found.warnings) log::warning("skills", warning);
}

void Host::logWithheld() {
  if (!mayWithhold(filters_)) return;
  library_.whenReady([this] {
    for (const auto &filter : filters_) filter->logWithheld();
  });
}

std::vector<ReadinessReport> Host::readiness() const {
  std::vector<ReadinessReport> reports;
  if (shared_) reports.emplace_back([this] { return shared_->readiness(); });
  reports.emplace_back([this] { return observerPlugins_.readiness(); });
  reports.emplace_back([this] { return httpPlugins_.readiness(); });
  for (const auto &filter : filters_)
    reports.emplace_back([filter = filter.get()] { return filter->readiness(); });
  return reports;
}

// A plugin with tools, an observer or an HTTP handler that takes long to be made delays neither the
// other kinds nor reconfigure().
void Host::makeAll(const ServeHttpPlugin &serve) {
  std::future<std::string> tools, observers, http;
  try {
    beginSources();
    if (role_ != Role::Alone) {
      tools = std::async(std::launch::async, [this] { return beginTools(); });
      observers = std::async(std::launch::async, [this] { return beginObservers(); });
      http = std::async(std::launch::async, [&] { return beginHttpPlugins(serve); });
    } else if (!configuration_.tools.empty()) {
      server_->servePluginTools({}); // nobody waits for their lists
    }
    waitForFirstList();
    beginSearch();
  } catch (const std::exception &why) {
    recordFailedStart(why);
  }
  sourcesMade_.set_value();
  try {
    for (auto *const others : {&tools, &observers, &http})
      if (others->valid()) addConfigurationErrors(others->get());
    if (!configurationErrors_.empty() && !mustFail()) log::error("plugin", configurationErrors_);
  } catch (const std::exception &why) {
    recordFailedStart(why);
  }
}

void Host::addConfigurationErrors(const std::string &more) {
  if (more.empty()) return;
  configurationErrors_ += (configurationErrors_.empty() ? "" : "\n") + more;
}

// Lists no source if the start will fail: further parts are made only to find other errors.
void Host::beginSources() {
  std::vector<std::shared_ptr<Source>> sources;
  for (const SourceConfiguration &one : configuration_.sources) {
    if (!one.enabled || plugins_.stopsMaking()) continue;
    served_.push_back(makeSource(configuration_, one, wrappers_, configurationErrors_));
    sources.push_back(served_.back().source);
  }
  if (!configurationErrors_.empty() && mustFail()) return;
  if (plugins_.stopsMaking()) return;
  if (sources.empty()) warnAboutMissingSources();
  library_.start(std::move(sources));
}

void Host::warnAboutMissingSources() {
  log::warning("server",
               "there is no source of skills: name one with --skills-dir, or for good with "
               "skillhost add");
}

Host::Served Host::makeSource(const Configuration &configuration, const SourceConfiguration &one,
                              const SourceWrappers &wrappers, std::string &wrong) {
  SettingProblems problems;
  Failure why{Fault::Internal, {}};
  try {
    Result<std::shared_ptr<Source>> source = makeFilteredSource(
        plugins_, configuration, one, pinOf(wrappers, one.name, SourcePin{}), problems);
    if (source) return {one, wrapped(wrappers, *std::move(source)), false};
    why = std::move(source).failure();
  } catch (const std::exception &thrown) {
    // For example, a value from a referenced file is not valid UTF-8.
    problems = {{"config", thrown.what()}};
  }
  reportProblem(configuration, "source ", one.key, problems, why, wrong);
  if (!problems.empty()) why = {Fault::InvalidInput, located(configuration, one.key, problems)};
  return {one, std::make_shared<AbsentSource>(one.name, std::move(why)), true};
}

std::string Host::beginTools() {
  struct MadeTools {
    const PluginEntry &configuration;
    SettingProblems problems{};
    Result<std::shared_ptr<ToolProvider>> provider{Fault::Internal, {}};
  };
  std::vector<std::future<MadeTools>> all;
  for (const PluginEntry &one : configuration_.tools)
    if (one.enabled)
      all.push_back(std::async(std::launch::async, [this, &one] {
        MadeTools made{one};
        made.provider = madeBy<ToolProvider>(
            [&] { return plugins_.makeTools(instanceOf(one.name, one), &made.problems); },
            made.problems);
        return made;
      }));
  std::string wrong;
  for (auto &one : all) {
    const MadeTools made = one.get();
    if (made.provider)
      tools_.push_back(*made.provider);
    else
      reportProblem(configuration_, "tools ", made.configuration.key, made.problems,
                    made.provider.failure(), wrong);
  }
  if (!configuration_.tools.empty()) server_->servePluginTools(tools_);
  return wrong;
}

// A search needs the first catalogue anyway, and a client that lists the skills needs only that. So
// loading the search plugin and cleaning its caches come after it. A slow source does not delay the
// search for long, and errors in the search settings are found soon in any case.
void Host::waitForFirstList() {
  constexpr std::chrono::seconds maxWait{1};
  if (!isServer() || !index_ || !library_.started()) return;
  awaitDoneFor(maxWait, [this](const auto &listed) { library_.whenReady(listed); });
}

void Host::beginSearch() {
  if (!index_ || plugins_.stopsMaking()) return;
  SettingProblems problems;
  const std::string cacheMark = searchMark(configuration_, filters_);
  InstanceConfiguration wanted = instanceOf("search", configuration_.search);
  wanted.cacheMark = cacheMark;
  Result<std::shared_ptr<SearchBackend>> backend = plugins_.makeSearch(wanted, &problems);
  if (!backend)
    reportProblem(configuration_, "", "search", problems, backend.failure(), configurationErrors_);
  const bool isThere = static_cast<bool>(backend);
  index_->attach(std::move(backend));
  // Each view has an instance of the plugin of its own, so that it cannot reveal anything about
  // other views.
  if (isThere)
    viewIndexes_->setBackendFactory([this, cacheMark](const std::string &mark) {
      InstanceConfiguration ofView = instanceOf("search-" + mark, configuration_.search);
      ofView.cacheMark = cacheMark;
      return plugins_.makeSearch(ofView);
    });
  else
    viewIndexes_->setBackendFactory([](const std::string & /*mark*/) {
      return Result<std::shared_ptr<SearchBackend>>(Fault::Unavailable,
                                                    "there is no search backend: see the log");
    });
  plugins_.removeUnusedCaches("search"); // of other configurations; ours is in use by now
}

std::string Host::beginHttpPlugins(const ServeHttpPlugin &serve) {
  Guarded<std::string> wrong;
  if (role_ == Role::Stdio) {
    if (!configuration_.httpHandlers.empty())
      log::warning("plugin", "http_handlers has no effect on stdio");
    return {};
  }
  const auto make = [&](const PluginEntry &one) {
    SettingProblems problems;
    auto made = madeBy<HttpPlugin>(
        [&] { return plugins_.makeHttp(instanceOf(one.name, one), &problems); }, problems);
    if (!made)
      wrong.with([&](std::string &all) {
        reportProblem(configuration_, "HTTP handler ", one.key, problems, made.failure(), all);
      });
    return made;
  };
  // A command serves nothing, but reports claims that a server would refuse.
  RouteClaims claims(configuration_.http.path);
  const ServeHttpPlugin claim = [&claims](const auto &plugin, const HandlerRoutes &routes) {
    return claimRoutes(claims, *plugin, routes);
  };
  httpPlugins_.makeAll(make, serve ? serve : claim, [this] { return plugins_.stopsMaking(); });
  return wrong.copy();
}

std::string Host::beginObservers() {
  Guarded<std::string> wrong;
  observerPlugins_.makeAll([&](const PluginEntry &one) {
    SettingProblems problems;
    auto made = madeBy<ObserverPlugin>(
        [&] { return plugins_.makeObserver(instanceOf(one.name, one), &problems); }, problems);
    if (!made)
      wrong.with([&](std::string &all) {
        reportProblem(configuration_, "observer ", one.key, problems, made.failure(), all);
      });
    return made;
  });
  return wrong.copy();
}

// A host that has failed does not serve any more; a host that has served for a while does not fail
// any more.
bool Host::mustFail() {
  const bool isLate = std::chrono::steady_clock::now() - begun_ > patienceForPlugins;
  Start decided = Start::Undecided;
  start_.compare_exchange_strong(decided, isLate ? Start::Late : Start::Failed);
  return start_ == Start::Failed;
}

bool Host::isMade() {
  begin();
  // A report must not leave out a plugin that takes long. Each call of a plugin has a deadline.
  if (role_ == Role::Inspector) madeSoon_.wait();
  Start decided = Start::Undecided;
  if (madeSoon_.wait_for(patienceForPlugins) != std::future_status::ready)
    start_.compare_exchange_strong(decided, Start::Late);
  return !hasFailed();
}

bool Host::isSettled() {
  using namespace std::chrono_literals;
  if (madeSoon_.wait_for(0s) == std::future_status::ready) return !hasFailed();
  if (std::chrono::steady_clock::now() - begun_ <= patienceForPlugins) return false;
  Start decided = Start::Undecided;
  start_.compare_exchange_strong(decided, Start::Late);
  return !hasFailed();
}

void Host::waitUntilMade() {
  if (!isMade())
    throw std::runtime_error(madeSoon_.get() +
                             "\n(--keep-going serves the rest without what is wrong)");
}

SearchableEntries Host::searchableEntries(const std::shared_ptr<const Catalogue> &catalogue) const {
  std::map<std::string_view, std::shared_ptr<Source>> sources;
  for (const SourceStatus &status : catalogue->sources())
    if (auto source = library_.source(status.name); source)
      sources.emplace(status.name, std::move(source));
  SearchableEntries all;
  all.isComplete = !catalogue->loading().isInProgress;
  std::vector<const Skill *> skills;
  for (const CatalogueEntry &entry : catalogue->entries()) {
    const Skill &skill = *entry.skill;
    if (!sources.contains(skill.source) || !entry.isForModels()) continue;
    all.keys.push_back({skill.id, skill.searchRevision});
    skills.push_back(&skill);
  }
  // The catalogue owns the skills that these pointers refer to.
  all.describe = [catalogue, sources = std::move(sources),
                  skills = std::move(skills)](std::size_t key) {
    const Skill &skill = *skills[key];
    return searchable(skill, sources.at(skill.source));
  };
  return all;
}

void Host::indexAll(const std::shared_ptr<const Catalogue> &catalogue) {
  index_->update(searchableEntries(catalogue), std::to_string(catalogue->generation()));
}

void Host::waitUntilReady(bool searchToo) {
  waitUntilMade();
  const ProgressLine line(library_.progress());
  awaitDone([this](const auto &ready) { library_.whenReady(ready); });
  awaitDone([this](const auto &offered) { server_->whenPluginToolsAreListed(offered); });
  if (!searchToo || !index_) return;
  awaitDone([this](const auto &indexed) { index_->whenCommitted({}, indexed); });
}

} // namespace skillhost::app
