// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

#include "base/process.hpp"
#include "services.hpp"
#include "statistics_figures.hpp"

namespace skillhost {
namespace {

Json catalogueStatistics(const Services &services, const Catalogue &catalogue) {
  const LibraryStatistics library = services.library.statistics();
  return {
      {"generation", catalogue.generation()},       {"skills", catalogue.entries().size()},
      {"findings", catalogue.findings().size()},    {"rebuilds", library.rebuilds},
      {"last_build_us", library.lastBuild.count()}, {"first_ready_us", library.firstReady.count()}};
}

Json sourceStatistics(const Catalogue &catalogue) {
  Json sources = Json::array();
  for (const SourceStatus &source : catalogue.sources()) {
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

// Every plugin, and beside each instance what its calls were like.
Json pluginStatistics(const Services &services, const Json &instances) {
  Json plugins = services.describePlugins ? services.describePlugins() : Json::array();
  for (Json &plugin : plugins) {
    const auto instance = plugin.find("instance");
    if (instance == plugin.end()) continue;
    const auto figures = instances.find(instance->get_ref<const std::string &>());
    if (figures != instances.end()) plugin.update(*figures);
  }
  return plugins;
}

} // namespace

Json serverStatistics(Services &services, const Catalogue &catalogue) {
  const auto uptime = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::steady_clock::now() - services.started);
  CallStatistics calls = callStatistics();
  const ProcessFigures process = processFigures();
  Json data{{"version", services.settings.version},
            {"uptime_s", uptime.count()},
            {"requests", services.requests.load()},
            {"methods", std::move(calls.methods)},
            {"tools", std::move(calls.tools)},
            {"cache", cacheStatistics(services.cache)},
            {"limits", limitStatistics(services.settings.limits)},
            {"rate_limit", rateStatistics(services)},
            {"catalogue", catalogueStatistics(services, catalogue)},
            {"sources", sourceStatistics(catalogue)},
            {"plugins", pluginStatistics(services, calls.instances)}};
  if (services.index != nullptr) data["search"] = {{"entries", services.index->size()}};
  data["process"] = {{"resident_bytes", process.residentBytes},
                     {"descriptors", process.descriptors},
                     {"threads", process.threads}};
  return data;
}

} // namespace skillhost
