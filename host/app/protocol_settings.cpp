// SPDX-License-Identifier: Apache-2.0
#include "protocol_settings.hpp"

#include "ground/glob.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace skillhost::app {
namespace {

// The patterns were checked when the configuration was read.
std::vector<Glob> compileAll(const std::vector<std::string> &patterns) {
  std::vector<Glob> globs;
  for (const std::string &pattern : patterns)
    if (Result<Glob> glob = Glob::compile(pattern)) globs.push_back(*std::move(glob));
  return globs;
}

} // namespace

ProtocolSettings protocolSettings(const Configuration &from) {
  ProtocolSettings settings;
  settings.version = SKILLHOST_VERSION;
  settings.expose = from.expose == Expose::Gateway  ? skillhost::Expose::Gateway
                    : from.expose == Expose::Skills ? skillhost::Expose::Skills
                                                    : skillhost::Expose::Both;
  switch (from.results) {
  case Results::Auto:
    settings.results = skillhost::Results::Auto;
    break;
  case Results::Text:
    settings.results = skillhost::Results::Text;
    break;
  case Results::Both:
    settings.results = skillhost::Results::Both;
    break;
  case Results::Structured:
    settings.results = skillhost::Results::Structured;
    break;
  }
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

SkillRules skillRules(const Configuration &from) {
  SkillRules rules;
  rules.sourceDeadline = std::chrono::milliseconds(from.deadlines.scanMs);
  rules.names = from.names == SkillNames::Strict ? NameRule::Strict : NameRule::First;
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

} // namespace skillhost::app
