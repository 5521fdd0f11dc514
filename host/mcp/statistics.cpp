// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

#include "ground/process.hpp"
#include "mcp/call.hpp"
#include "mcp/services.hpp"
#include "statistics_figures.hpp"

namespace skillhost {
namespace {

// Returns the skills that only their ids reach, because others have their names.
Json withoutNames(const Catalogue &catalogue, std::size_t most) {
  Json ids = Json::array();
  for (const CatalogueEntry &entry : catalogue.entries())
    if (entry.name == entry.skill->id && ids.size() < most) ids.push_back(entry.skill->id);
  return ids;
}

// Only a caller who sees all skills gets the number of rebuilds, because it reveals hidden changes.
Json catalogueStatistics(const Call &call, const Catalogue &catalogue) {
  Json out{{"skills", catalogue.entries().size()},
           {"findings", catalogue.findings().size()},
           {"by_id_only", withoutNames(catalogue, call.services().settings.limits.listItems)}};
  if (!call.seesAll()) return out;
  const LibraryStatistics library = call.services().library.statistics();
  out["generation"] = catalogue.generation();
  out["rebuilds"] = library.rebuilds;
  out["last_build_us"] = library.lastBuild.count();
  out["first_ready_us"] = library.firstReady.count();
  return out;
}

Json sourceStatistics(const Catalogue &catalogue, std::size_t most) {
  Json sources = Json::array();
  for (const SourceStatus &source : catalogue.sources()) {
    if (sources.size() == most) break;
    Json one{{"name", source.name}, {"skills", source.skills}};
    if (!source.failure.empty()) one["failure"] = source.failure;
    sources.push_back(std::move(one));
  }
  return sources;
}

Json cacheStatistics(const Cache &cache) {
  using namespace std::chrono;
  const CacheStatistics now = cache.statistics();
  Json out{{"entryCount", now.entries},      {"currentSizeBytes", now.bytes},
           {"maxSizeBytes", now.maxBytes},   {"hitCount", now.hits},
           {"missCount", now.misses},        {"hitRate", now.hitRate()},
           {"evictionCount", now.evictions}, {"expirationCount", now.expirations}};
  if (const auto at = duration_cast<milliseconds>(now.lastCleanup.time_since_epoch()).count())
    out["lastCleanupAt"] = at;
  out["pressureLevel"] = name(now.pressure());
  return out;
}

Json limitStatistics(const Limits &limits) {
  Json out{{"max_request_bytes", limits.requestBytes},     {"max_array_items", limits.arrayItems},
           {"max_string_length", limits.stringCharacters}, {"max_depth", limits.depth},
           {"max_response_bytes", limits.responseBytes},   {"max_list_items", limits.listItems}};
  if (!limits.toolArrayItems.empty()) out["tool_array_limits"] = limits.toolArrayItems;
  if (limits.memoryBytes != 0) out["max_memory_mb"] = limits.memoryBytes >> 20U;
  return out;
}

Json rateStatistics(const Services &services) {
  const RateRules &rules = services.settings.rateLimit;
  if (rules.perSecond == 0) return {{"enabled", false}};
  const RateLimiter::Statistics now = services.rates.statistics();
  return {{"enabled", true},
          {"requests_per_second", rules.perSecond},
          {"burst", rules.burst},
          {"principals", now.principals},
          {"refused", now.refused}};
}

// Returns every plugin, with the statistics of its calls beside each instance. Both reveal hidden
// things: a source's name, how much a search has indexed.
Json pluginsWithFigures(const Call &call, const Json &instances) {
  const Services &services = call.services();
  if (!call.seesAll() || !services.describePlugins) return Json::array();
  Json plugins = services.describePlugins();
  for (Json &plugin : plugins) {
    const auto instance = plugin.find("instance");
    if (instance == plugin.end()) continue;
    const auto figures = instances.find(instance->get_ref<const std::string &>());
    if (figures != instances.end()) plugin.update(*figures);
  }
  return plugins;
}

} // namespace

Json pluginStatistics(const Call &call) {
  return pluginsWithFigures(call, callStatistics().instances);
}

Json serverStatistics(const Call &call) {
  Services &services = call.services();
  const auto catalogue = call.catalogue();
  const auto uptime = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::steady_clock::now() - services.started);
  const bool seesAll = call.seesAll();
  CallStatistics calls =
      callStatistics(seesAll ? StatisticsScope::AllSkills : StatisticsScope::SeenSkills);
  const ProcessFigures process = processFigures();
  Json data{{"version", services.settings.version},
            {"uptime_s", uptime.count()},
            {"methods", std::move(calls.methods)},
            {"limits", limitStatistics(services.settings.limits)},
            {"rate_limit", rateStatistics(services)},
            {"catalogue", catalogueStatistics(call, *catalogue)},
            {"sources", sourceStatistics(*catalogue, services.settings.limits.listItems)},
            {"plugins", pluginsWithFigures(call, calls.instances)}};
  // These are sums over all skills. A caller who subtracts what they know would learn of the
  // others.
  if (seesAll) {
    data["requests"] = services.requests.load();
    data["tools"] = std::move(calls.tools);
    data["cache"] = cacheStatistics(services.cache);
  }
  if (const auto entries = call.indexed()) data["search"] = {{"entries", *entries}};
  data["process"] = {{"resident_bytes", process.residentBytes},
                     {"descriptors", process.descriptors},
                     {"threads", process.threads}};
  return data;
}

} // namespace skillhost
