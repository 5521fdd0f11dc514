// SPDX-License-Identifier: Apache-2.0
#include "host.hpp"

#include "access.hpp"
#include "base/log.hpp"
#include "instance_configuration.hpp"
#include "plugin_directories.hpp"
#include "progress_line.hpp"
#include "skills/glob.hpp"

#include <future>

namespace skillhost::app {
namespace {

ProtocolSettings protocolSettings(const Configuration &from) {
  ProtocolSettings settings;
  settings.version = SKILLHOST_VERSION;
  settings.expose = from.expose == Expose::Gateway  ? skillhost::Expose::Gateway
                    : from.expose == Expose::Skills ? skillhost::Expose::Skills
                                                    : skillhost::Expose::Both;
  switch (from.paths) {
  case PathStyle::Auto: // on stdio the reader is on this machine
    settings.paths = from.transport == Transport::Stdio ? skillhost::PathStyle::Absolute
                                                        : skillhost::PathStyle::Uri;
    break;
  case PathStyle::Absolute:
    settings.paths = skillhost::PathStyle::Absolute;
    break;
  case PathStyle::Uri:
    settings.paths = skillhost::PathStyle::Uri;
    break;
  case PathStyle::Untouched:
    settings.paths = skillhost::PathStyle::Untouched;
    break;
  }
  settings.projectRoot = from.projectRoot.value_or("");
  settings.instructions = from.instructions.value_or("");
  settings.defaultTopK = static_cast<std::int64_t>(from.defaultTopK);
  settings.maxSkillContentCharacters = from.maxSkillContentChars.value_or(0);
  settings.pageSize = from.pageSize;
  settings.startupWait = std::chrono::milliseconds(from.startupWaitMs);
  settings.deadlines.query = std::chrono::milliseconds(from.deadlines.queryMs);
  settings.deadlines.mutation = std::chrono::milliseconds(from.deadlines.mutationMs);
  settings.deadlines.scan = std::chrono::milliseconds(from.deadlines.scanMs);
  settings.deadlines.execution = std::chrono::milliseconds(from.deadlines.executionMs);
  for (const auto &[tool, milliseconds] : from.deadlines.tools)
    settings.deadlines.tools[tool] = std::chrono::milliseconds(milliseconds);
  settings.limits.requestBytes = from.limits.maxRequestBytes;
  settings.limits.arrayItems = from.limits.maxArrayItems;
  settings.limits.toolArrayItems = from.limits.toolArrayLimits;
  settings.limits.stringCharacters = from.limits.maxStringLength;
  settings.limits.depth = from.limits.maxDepth;
  settings.limits.responseBytes = from.limits.maxResponseBytes;
  settings.limits.listItems = from.limits.maxListItems;
  settings.limits.memoryBytes = from.limits.maxMemoryMb << 20U;
  settings.cache.bytes = from.cache.maxSizeMb << 20U;
  settings.cache.entries = from.cache.maxEntries;
  settings.cache.ttl = std::chrono::seconds(from.cache.ttlSeconds);
  settings.cache.policy = from.cache.policy == EvictionPolicy::Lru ? skillhost::EvictionPolicy::Lru
                          : from.cache.policy == EvictionPolicy::Lfu
                              ? skillhost::EvictionPolicy::Lfu
                              : skillhost::EvictionPolicy::Fifo;
  settings.cache.highWater = static_cast<double>(from.cache.highWaterPercent) / 100;
  settings.cache.lowWater = static_cast<double>(from.cache.lowWaterPercent) / 100;
  settings.rateLimit.perSecond = from.rateLimit.requestsPerSecond;
  settings.rateLimit.burst = from.rateLimit.burst;
  settings.toolPlugins = !from.tools.empty();
  return settings;
}

// The patterns were checked when the configuration was read.
std::vector<Glob> compileAll(const std::vector<std::string> &patterns) {
  std::vector<Glob> globs;
  for (const std::string &pattern : patterns)
    if (Result<Glob> glob = Glob::compile(pattern)) globs.push_back(*std::move(glob));
  return globs;
}

SkillRules skillRules(const Configuration &from) {
  SkillRules rules;
  rules.sourceDeadline = std::chrono::milliseconds(from.deadlines.scanMs);
  rules.strictness = from.strict ? Strictness::Strict : Strictness::Lenient;
  if (from.includeSkills.empty() && from.excludeSkills.empty()) return rules;
  rules.wanted = [include = compileAll(from.includeSkills),
                  exclude = compileAll(from.excludeSkills)](std::string_view id) {
    const auto matches = [&](const Glob &glob) { return glob.matches(id); };
    if (std::any_of(exclude.begin(), exclude.end(), matches)) return false;
    return include.empty() || std::any_of(include.begin(), include.end(), matches);
  };
  return rules;
}

Searchable searchable(const CatalogueEntry &entry, std::shared_ptr<Source> source) {
  const Skill &skill = *entry.skill;
  Json attributes{{"source", skill.source}};
  if (!skill.fields.category.empty()) attributes["category"] = skill.fields.category;
  if (!skill.fields.keywords.empty()) attributes["keywords"] = skill.fields.keywords;
  return {skill.id,
          skill.entry.revision,
          skill.fields.title.empty() ? skill.fields.name
                                     : skill.fields.name + " " + skill.fields.title,
          skill.fields.description,
          attributes.dump(-1, ' ', false, Json::error_handler_t::replace),
          std::move(source),
          skill.entry,
          skill.bodyOffset};
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

} // namespace

Host::Host(const Configuration &configuration, const std::string &executable)
    : configuration_(configuration), locked_(configuration),
      plugins_(builtInPluginDirectories(executable), pluginSettings(configuration, executable)),
      library_(skillRules(configuration),
               std::chrono::milliseconds(configuration.refresh.debounceMs)),
      index_(
          configuration.search.plugin == "none"
              ? nullptr
              : std::make_unique<Index>(std::chrono::milliseconds(configuration.deadlines.scanMs))),
      server_(std::make_unique<Server>(protocolSettings(configuration), library_, index_.get())) {
  library_.onChange([this](const std::shared_ptr<const Catalogue> &now,
                           const std::shared_ptr<const Catalogue> &before) {
    if (index_) indexAll(*now);
    if (now != before) server_->catalogueChanged(now, before);
  });
  if (index_) {
    index_->onLost([this] { indexAll(*library_.catalogue()); });
    // Searches wait for the first catalogue of all sources; it is before any request hears of it.
    library_.whenReady([this] { index_->expectUpdate(); });
  }
  server_->describePluginsWith([this] { return describePlugins(plugins_); });
  beginning_ = std::thread([this] {
    try {
      begin();
    } catch (const std::exception &why) {
      log::error("server", std::string("the start failed: ") + why.what());
    }
  });
}

Host::~Host() {
  beginning_.join();
  for (const auto &tools : tools_) tools->stop();
  // Whoever waits to be known is answered while there is something to answer with.
  if (access_ && access_->authenticator() != nullptr) access_->authenticator()->provider().stop();
  // The index first: it gives up what it wants of the sources' lanes, which then end.
  if (index_) index_->stop();
  library_.stop();
}

void Host::guard() {
  access_ = makeAccess(configuration_, plugins_);
  server_->guardWith(*access_);
}

void Host::begin() {
  std::vector<std::shared_ptr<Source>> sources;
  for (const SourceConfiguration &one : configuration_.sources) {
    if (!one.enabled) continue;
    InstanceConfiguration instance = instanceOf(one.name, one);
    locked_.pin(instance);
    Result<std::shared_ptr<Source>> source = plugins_.makeSource(instance);
    if (source)
      sources.push_back(locked_.held(*std::move(source)));
    else
      log::error("plugin", "source " + source.failure().message);
  }
  if (sources.empty())
    log::warning("server", "there is no source of skills: name one with --skills-dir");
  library_.start(std::move(sources));
  beginTools();
  if (!index_) return;
  Result<std::shared_ptr<SearchBackend>> backend =
      plugins_.makeSearch(instanceOf("search", configuration_.search));
  if (!backend) log::error("plugin", backend.failure().message);
  index_->attach(std::move(backend));
}

void Host::beginTools() {
  for (const ToolsConfiguration &one : configuration_.tools) {
    if (!one.enabled) continue;
    Result<std::shared_ptr<ToolProvider>> made = plugins_.makeTools(instanceOf(one.name, one));
    if (made)
      tools_.push_back(*std::move(made));
    else
      log::error("plugin", "tools " + made.failure().message);
  }
  if (!configuration_.tools.empty()) server_->offer(tools_);
}

void Host::indexAll(const Catalogue &catalogue) {
  std::vector<Searchable> all;
  for (const CatalogueEntry &entry : catalogue.entries())
    if (auto source = library_.source(entry.skill->source); source && entry.skill->byTools)
      all.push_back(searchable(entry, std::move(source)));
  index_->update(std::move(all), std::to_string(catalogue.generation()));
}

void Host::waitUntilReady(bool searchToo) {
  const ProgressLine line(library_.progress());
  std::promise<void> ready;
  library_.whenReady([&] { ready.set_value(); });
  ready.get_future().wait();
  std::promise<void> offered;
  server_->whenOffered([&] { offered.set_value(); });
  offered.get_future().wait();
  if (!searchToo || !index_) return;
  std::promise<void> indexed;
  index_->whenCommitted({}, [&] { indexed.set_value(); });
  indexed.get_future().wait();
}

} // namespace skillhost::app
