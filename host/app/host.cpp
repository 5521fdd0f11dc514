// SPDX-License-Identifier: Apache-2.0
#include "host.hpp"

#include "absent_source.hpp"
#include "access.hpp"
#include "base/log.hpp"
#include "base/secret_names.hpp"
#include "configuration/places.hpp"
#include "ground/process.hpp"
#include "ground/sha256.hpp"
#include "instance_configuration.hpp"
#include "plugin_directories.hpp"
#include "progress_line.hpp"
#include "protocol_settings.hpp"
#include "skills/search_texts.hpp"

#include <nlohmann/json.hpp>

#include <exception>
#include <iterator>
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

// A new token does not make other skills.
void leaveOutSecrets(Json &config) {
  if (config.is_object())
    for (auto member = config.begin(); member != config.end();)
      member = namesSecret(member.key()) ? config.erase(member) : std::next(member);
  if (config.is_structured())
    for (Json &part : config) leaveOutSecrets(part);
}

// Of all that decides which skills are indexed, and how: with anything else another index is kept.
std::string searchMark(const Configuration &configuration) {
  Json all = {configuration.search.config,
              configuration.includeSkills,
              configuration.excludeSkills,
              configuration.strict,
              configuration.names,
              configuration.locked,
              configuration.locked ? configuration.skillsLock.value_or("") : ""};
  for (const SourceConfiguration &one : configuration.sources)
    if (one.enabled) all.push_back({one.name, one.plugin, one.config});
  leaveOutSecrets(all);
  return sha256Hex(all.dump(-1, ' ', false, Json::error_handler_t::replace)).substr(0, 16);
}

} // namespace

Host::Host(const Configuration &configuration, const std::string &executable)
    : configuration_(configuration), locked_(configuration),
      plugins_(builtInPluginDirectories(executable), pluginSettings(configuration, executable)),
      library_(skillRules(configuration),
               std::chrono::milliseconds(configuration.refresh.debounceMs)),
      index_(configuration.search.plugin == "none"
                 ? nullptr
                 : std::make_unique<Index>(configuration.deadlines.scan, usualRetries, floor_)),
      viewIndexes_(index_ ? std::make_unique<ViewIndexes>(
                                library_, configuration.deadlines.scan,
                                [this](const std::shared_ptr<const Catalogue> &seen) {
                                  return searchables(seen);
                                },
                                floor_)
                          : nullptr),
      server_(std::make_unique<Server>(protocolSettings(configuration), library_, index_.get(),
                                       viewIndexes_.get())) {
  floor_->set(configuration.search.minScore);
  library_.onChange([this](const std::shared_ptr<const Catalogue> &now,
                           const std::shared_ptr<const Catalogue> &before) {
    if (index_) indexAll(now);
    if (viewIndexes_) viewIndexes_->catalogueChanged();
    if (now != before) server_->catalogueChanged(now, before);
  });
  library_.whenReady([this] {
    if (library_.catalogue()->entries().size() >= muchWork) giveBackMemory();
  });
  if (index_) {
    index_->onLost([this] { indexAll(library_.catalogue()); });
    // Searches wait for the first catalogue of all sources; it is before any request hears of it.
    library_.whenReady([this] {
      index_->expectUpdate();
      viewIndexes_->expectUpdate();
    });
  }
  server_->describePluginsWith([this] { return describePlugins(plugins_); });
  beginning_ = std::thread([this] {
    try {
      begin();
    } catch (const std::exception &why) {
      log::error("server", std::string("the start failed: ") + why.what());
      made_.set_value(std::string("the start failed: ") + why.what());
    }
  });
}

Host::~Host() {
  beginning_.join();
  for (const auto &tools : tools_) tools->stop();
  // Whoever waits to be known is answered while there is something to answer with.
  if (access_ && access_->authenticator() != nullptr) access_->authenticator()->provider().stop();
  // The index first: it gives up what it wants of the sources' executors, which then end.
  if (viewIndexes_) viewIndexes_->stop();
  if (index_) index_->stop();
  library_.stop();
}

void Host::guard() {
  access_ = makeAccess(configuration_, plugins_);
  server_->guardWith(*access_);
}

void Host::begin() {
  beginSources();
  beginTools();
  beginSearch();
  if (!wrong_.empty() && !fails()) log::error("plugin", wrong_);
  made_.set_value(wrong_);
}

// Lists none when the start will fail: the rest is made to find what else is wrong.
void Host::beginSources() {
  std::vector<std::shared_ptr<Source>> sources;
  for (const SourceConfiguration &one : configuration_.sources) {
    if (!one.enabled) continue;
    served_.push_back(makeSource(configuration_, one, locked_, wrong_));
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
                              const LockedSources &locked, std::string &wrong) {
  SettingProblems problems;
  Failure why{Fault::Internal, {}};
  try {
    InstanceConfiguration instance = instanceOf(one.name, one);
    locked.pin(instance);
    Result<std::shared_ptr<Source>> source = plugins_.makeSource(instance, &problems);
    if (source) return {one, locked.held(*std::move(source)), false};
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

void Host::beginSearch() {
  if (!index_) return;
  SettingProblems problems;
  const std::string cacheMark = searchMark(configuration_);
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

// Once it fails, it does not serve any more; once somebody was served, it does not fail any more.
bool Host::fails() {
  Start decided = Start::Undecided;
  start_.compare_exchange_strong(decided, Start::Failed);
  return decided != Start::Late;
}

void Host::awaitMade() {
  constexpr std::chrono::seconds patience{5};
  Start decided = Start::Undecided;
  if (madeSoon_.wait_for(patience) != std::future_status::ready &&
      start_.compare_exchange_strong(decided, Start::Late))
    return;
  if (!madeSoon_.get().empty())
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
    if (!sources.contains(skill.source)) continue;
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
  std::promise<void> ready;
  library_.whenReady([&] { ready.set_value(); });
  ready.get_future().wait();
  std::promise<void> offered;
  server_->whenPluginToolsAreListed([&] { offered.set_value(); });
  offered.get_future().wait();
  if (!searchToo || !index_) return;
  std::promise<void> indexed;
  index_->whenCommitted({}, [&] { indexed.set_value(); });
  indexed.get_future().wait();
}

} // namespace skillhost::app
