// SPDX-License-Identifier: Apache-2.0
#include "host.hpp"

#include "absent_source.hpp"
#include "access.hpp"
#include "app/process.hpp"
#include "base/log.hpp"
#include "configuration/places.hpp"
#include "ground/await.hpp"
#include "ground/counted.hpp"
#include "ground/process.hpp"
#include "ground/sha256.hpp"
#include "instance_configuration.hpp"
#include "plugin_directories.hpp"
#include "process_metrics.hpp"
#include "progress_line.hpp"
#include "protocol_settings.hpp"
#include "shared_state.hpp"
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

Searchable searchable(const Skill &skill, std::shared_ptr<Source> source) {
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

// The start waits so long for plugins to be made, and may fail until then.
constexpr std::chrono::seconds patienceForPlugins{5};

// A wrong configuration ends the start, or is not applied; everything else is served around.
void noteWrong(const Configuration &configuration, const std::string &what, const std::string &key,
               const SettingProblems &problems, const Failure &why, std::string &wrong) {
  if (problems.empty()) return log::error("plugin", what + why.message);
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

// Of all that decides which skills are indexed, and how: with anything else another index is kept.
std::string searchMark(const Configuration &configuration, const SourceFilters &filters) {
  Json all = {configuration.search.config, configuration.includeSkills, configuration.excludeSkills,
              configuration.skillRules, configuration.names};
  for (const auto &filter : filters)
    for (const Json &one : filter->searchMark(configuration)) all.push_back(one);
  for (const SourceConfiguration &one : configuration.sources)
    if (one.enabled) all.push_back({one.name, one.plugin, one.config});
  leaveOutSecrets(all);
  return sha256Hex(all.dump(-1, ' ', false, Json::error_handler_t::replace)).substr(0, 16);
}

} // namespace

Host::Host(const Configuration &configuration, const std::string &executable,
           const FilterKinds &filters, Role role, Features features)
    : role_(role), configuration_(configuration), features_(std::move(features)),
      plugins_(builtInPluginDirectories(executable), pluginSettings(configuration, executable)),
      library_(skillRules(configuration),
               std::chrono::milliseconds(configuration.refresh.debounceMs), features_.observers()),
      index_(configuration.search.plugin == "none"
                 ? nullptr
                 : std::make_unique<Index>(configuration.deadlines.scan, usualRetries, floor_)),
      viewIndexes_(index_ ? std::make_unique<ViewIndexes>(
                                library_, configuration.deadlines.scan,
                                [this](const std::shared_ptr<const Catalogue> &seen) {
                                  return searchables(seen);
                                },
                                floor_)
                          : nullptr) {
  floor_->set(configuration.search.minScore);
  addModules();
  // They ask for the shared state before there is a source: nothing is served that another replica
  // has rejected.
  auto [made, wrappers] = makeFilters(filters, configuration_, [this] { return share(); });
  filters_ = std::move(made);
  wrappers_ = std::move(wrappers);
  if (role_ == Role::Replica) checkShared();
  if (role_ != Role::Alone) guard();
  server_ = std::make_unique<Server>(protocolSettings(configuration_), library_, index_.get(),
                                     viewIndexes_.get(), serverParts());
  listenToCatalogue();
  modules_.add([this] {
    for (const auto &tools : tools_) tools->stop();
  });
  tellFigures();
  modules_.add([this] { collectors_.clear(); });
  if (role_ == Role::Alone) begin();
}

// The modules that stop last come first.
void Host::addModules() {
  // After those who ask, and who tell of skills.
  modules_.add([this] { features_.stop(); });
  modules_.add([this] { library_.stop(); });
  // The indexes give up what they want of the sources' executors, which then end.
  if (index_) modules_.add([this] { index_->stop(); });
  if (viewIndexes_) modules_.add([this] { viewIndexes_->stop(); });
  // Its messages reach the rest, which has to be there still.
  modules_.add([this] {
    if (shared_) shared_->stop();
  });
  // They answer the callers who wait until all replicas know a decision.
  modules_.add([this] {
    for (const auto &filter : filters_) filter->stop();
  });
}

ServerParts Host::serverParts() {
  ServerParts parts;
  parts.observers = features_.observers();
  for (const auto &filter : filters_) {
    for (FeatureTool &tool : filter->tools()) parts.tools.push_back(std::move(tool));
    for (OwnResource &one : filter->resources()) parts.resources.push_back(std::move(one));
  }
  parts.resources.insert(parts.resources.end(), features_.resources().begin(),
                         features_.resources().end());
  parts.access = access_.get();
  parts.withholds = mayWithhold(filters_);
  if (role_ != Role::Alone) parts.shared = shared_;
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
    if (library_.catalogue()->entries().size() >= muchWork) giveBackMemory();
  });
  if (!index_) return;
  index_->onLost([this] { indexAll(library_.catalogue()); });
  // Searches wait for the first catalogue of all sources; it is before any request hears of it.
  library_.whenReady([this] {
    index_->expectUpdate();
    viewIndexes_->expectUpdate();
  });
}

void Host::begin(std::function<void(StartResult)> onMade) {
  if (begun_ != std::chrono::steady_clock::time_point{}) return;
  begun_ = std::chrono::steady_clock::now();
  // Before there is a thread: where memory ends here, nobody would wait for it.
  modules_.add([this] { finishBeginning(); });
  beginning_ = std::thread([this, onMade = std::move(onMade)] {
    try {
      makeAll();
    } catch (const std::exception &why) {
      noteFailedStart(why);
    }
    made_.set_value(std::move(wrong_)); // takes no memory
    if (onMade) onMade(failed() ? StartResult::Failed : StartResult::Succeeded);
  });
}

void Host::noteFailedStart(const std::exception &why) noexcept {
  try {
    wrong_ = "the start failed: " + reasonOf(why);
    log::error("server", wrong_);
  } catch (const std::exception &) {
    wrong_ = "no memory"; // so short that it needs none
  }
  start_ = Start::Failed; // however late: without the rest nothing would be served
}

void Host::finishBeginning() {
  if (beginning_.joinable()) beginning_.join();
}

Host::~Host() = default;

void Host::tellFigures() {
  metrics::Registry &registry = metrics::all();
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

// A command that is run once goes on without the engine.
ShareState::result_type Host::share() {
  if (shared_ || role_ == Role::Stdio) return shared_;
  try {
    shared_ = makeSharedState(configuration_, plugins_);
  } catch (const std::runtime_error &why) {
    if (role_ != Role::Alone) throw;
    log::error("state", why.what());
    return {Fault::Unavailable, why.what()};
  }
  return shared_;
}

void Host::checkShared() {
  const auto shared = share();
  if (!shared || !*shared) return; // what failed is in the log
  if (const Status reached = checkSharedState(configuration_, **shared); !reached)
    log::warning("state", "starting without the engine of the shared state, which " +
                              std::string("is tried again: ") + reached.failure().message);
}

void Host::guard() {
  access_ =
      makeAccess(configuration_, plugins_, shared_, features_.observers(), mayWithhold(filters_));
  // Whoever waits to be known is answered while there is something to answer with.
  if (access_->authenticator() == nullptr) return;
  modules_.add([this] { access_->authenticator()->provider().stop(); });
  for (const auto &filter : filters_) filter->logObstacles();
}

void Host::reloadFilters() {
  for (const auto &filter : filters_) filter->reload();
}

void Host::tellUnknownNames() {
  const auto &rules = configuration_.access.visibility;
  if (configuration_.includeSkills.empty() && configuration_.excludeSkills.empty() &&
      std::all_of(rules.begin(), rules.end(),
                  [](const VisibilityConfiguration &rule) { return rule.categories.empty(); }))
    return;
  // Categories come with the skills. Whoever writes these must not be able to prevent a start, and
  // a source that is away must not delay it.
  library_.whenReady([this] {
    const NameProblems found =
        checkCategories(configuration_, *library_.catalogue(), !withheld().empty());
    for (const std::string &warning : found.warnings) log::warning("access", warning);
    for (const std::string &problem : found.problems) log::error("access", problem);
    tellUnknownSkills(configuration_);
  });
}

void Host::tellUnknownSkills(const Configuration &configuration) const {
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
  for (const auto &filter : filters_)
    reports.emplace_back([filter = filter.get()] { return filter->readiness(); });
  return reports;
}

void Host::makeAll() {
  beginSources();
  beginTools();
  waitForFirstList();
  beginSearch();
  if (!wrong_.empty() && !fails()) log::error("plugin", wrong_);
}

// Lists none when the start will fail: the rest is made to find what else is wrong.
void Host::beginSources() {
  std::vector<std::shared_ptr<Source>> sources;
  for (const SourceConfiguration &one : configuration_.sources) {
    if (!one.enabled) continue;
    served_.push_back(makeSource(configuration_, one, wrappers_, wrong_));
    sources.push_back(served_.back().source);
  }
  if (!wrong_.empty() && fails()) return;
  if (sources.empty()) warnOfNone();
  library_.start(std::move(sources));
}

void Host::warnOfNone() {
  log::warning("server",
               "there is no source of skills: name one with --skills-dir, or for good with "
               "skillhost add");
}

Host::Served Host::makeSource(const Configuration &configuration, const SourceConfiguration &one,
                              const SourceWrappers &wrappers, std::string &wrong) {
  SettingProblems problems;
  Failure why{Fault::Internal, {}};
  try {
    InstanceConfiguration instance = instanceOfSource(configuration, one);
    instance.pin = pinOf(wrappers, one.name, std::move(instance.pin));
    Result<std::shared_ptr<Source>> source = plugins_.makeSource(instance, &problems);
    if (source) return {one, wrapped(wrappers, *std::move(source)), false};
    why = std::move(source).failure();
  } catch (const std::exception &thrown) {
    // Such as a value that is no UTF-8, from a file that a reference names.
    problems = {{"config", thrown.what()}};
  }
  noteWrong(configuration, "source ", one.key, problems, why, wrong);
  if (!problems.empty()) why = {Fault::InvalidInput, located(configuration, one.key, problems)};
  return {one, std::make_shared<AbsentSource>(one.name, std::move(why)), true};
}

void Host::beginTools() {
  for (const ToolsConfiguration &one : configuration_.tools) {
    if (!one.enabled) continue;
    SettingProblems problems;
    Result<std::shared_ptr<ToolProvider>> made =
        plugins_.makeTools(instanceOf(one.name, one), &problems);
    if (made)
      tools_.push_back(*std::move(made));
    else
      noteWrong(configuration_, "tools ", one.key, problems, made.failure(), wrong_);
  }
  if (!configuration_.tools.empty()) server_->servePluginTools(tools_);
}

// A search needs the first catalogue anyway, and a client that lists the skills needs only that: so
// loading the search plugin, and clearing up what searches have kept, come after it. A source that
// takes its time does not delay the search, and what is wrong with it is found soon in any case.
void Host::waitForFirstList() {
  constexpr std::chrono::seconds longest{1};
  if (role_ == Role::Alone || !index_ || !library_.started()) return;
  awaitDoneFor(longest, [this](const auto &listed) { library_.whenReady(listed); });
}

void Host::beginSearch() {
  if (!index_) return;
  SettingProblems problems;
  const std::string cacheMark = searchMark(configuration_, filters_);
  InstanceConfiguration wanted = instanceOf("search", configuration_.search);
  wanted.cacheMark = cacheMark;
  Result<std::shared_ptr<SearchBackend>> backend = plugins_.makeSearch(wanted, &problems);
  if (!backend) noteWrong(configuration_, "", "search", problems, backend.failure(), wrong_);
  const bool isThere = static_cast<bool>(backend);
  index_->attach(std::move(backend));
  // What a view cannot be told of is that of the others: each has an instance of the plugin.
  if (isThere)
    viewIndexes_->makeWith([this, cacheMark](const std::string &mark) {
      InstanceConfiguration ofView = instanceOf("search-" + mark, configuration_.search);
      ofView.cacheMark = cacheMark;
      return plugins_.makeSearch(ofView);
    });
  else
    viewIndexes_->makeWith([](const std::string & /*mark*/) {
      return Result<std::shared_ptr<SearchBackend>>(Fault::Unavailable,
                                                    "there is no search backend: see the log");
    });
  plugins_.removeUnusedCaches("search"); // of this configuration's, ours is held by now
}

// Once it fails, it does not serve any more; once it has been served for a while, it does not fail
// any more.
bool Host::fails() {
  const bool isLate = std::chrono::steady_clock::now() - begun_ > patienceForPlugins;
  Start decided = Start::Undecided;
  start_.compare_exchange_strong(decided, isLate ? Start::Late : Start::Failed);
  return start_ == Start::Failed;
}

bool Host::isMade() {
  begin();
  Start decided = Start::Undecided;
  if (madeSoon_.wait_for(patienceForPlugins) != std::future_status::ready)
    start_.compare_exchange_strong(decided, Start::Late);
  return !failed();
}

bool Host::isSettled() {
  using namespace std::chrono_literals;
  if (madeSoon_.wait_for(0s) == std::future_status::ready) return !failed();
  if (std::chrono::steady_clock::now() - begun_ <= patienceForPlugins) return false;
  Start decided = Start::Undecided;
  start_.compare_exchange_strong(decided, Start::Late);
  return !failed();
}

void Host::awaitMade() {
  if (!isMade())
    throw std::runtime_error(madeSoon_.get() +
                             "\n(--keep-going serves the rest without what is wrong)");
}

Searchables Host::searchables(const std::shared_ptr<const Catalogue> &catalogue) const {
  std::map<std::string_view, std::shared_ptr<Source>> sources;
  for (const SourceStatus &status : catalogue->sources())
    if (auto source = library_.source(status.name); source)
      sources.emplace(status.name, std::move(source));
  Searchables all;
  all.areAll = !catalogue->loading().goesOn;
  std::vector<const Skill *> skills;
  for (const CatalogueEntry &entry : catalogue->entries()) {
    const Skill &skill = *entry.skill;
    if (!sources.contains(skill.source) || !entry.isForModels()) continue;
    all.keys.push_back({skill.id, skill.searchRevision});
    skills.push_back(&skill);
  }
  // What they point into is the catalogue's.
  all.describe = [catalogue, sources = std::move(sources),
                  skills = std::move(skills)](std::size_t key) {
    const Skill &skill = *skills[key];
    return searchable(skill, sources.at(skill.source));
  };
  return all;
}

void Host::indexAll(const std::shared_ptr<const Catalogue> &catalogue) {
  index_->update(searchables(catalogue), std::to_string(catalogue->generation()));
}

void Host::waitUntilReady(bool searchToo) {
  awaitMade();
  const ProgressLine line(library_.progress());
  awaitDone([this](const auto &ready) { library_.whenReady(ready); });
  awaitDone([this](const auto &offered) { server_->whenPluginToolsAreListed(offered); });
  if (!searchToo || !index_) return;
  awaitDone([this](const auto &indexed) { index_->whenCommitted({}, indexed); });
}

} // namespace skillhost::app
