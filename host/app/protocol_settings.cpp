// SPDX-License-Identifier: Apache-2.0
#include "protocol_settings.hpp"

#include "ground/glob.hpp"
#include "plugin_directories.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace skillhost::app {
namespace {

// The patterns were validated when the configuration was read.
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
  settings.expose = from.expose;
  settings.results = from.results;
  settings.operatorTools = from.operatorTools;
  switch (from.paths) {
  case Paths::Auto: // on stdio the reader is on this machine
    settings.reading.paths =
        from.transport == Transport::Stdio ? PathStyle::Absolute : PathStyle::Uri;
    break;
  case Paths::Absolute:
    settings.reading.paths = PathStyle::Absolute;
    break;
  case Paths::Uri:
    settings.reading.paths = PathStyle::Uri;
    break;
  case Paths::Untouched:
    settings.reading.paths = PathStyle::Untouched;
    break;
  }
  if (from.transport == Transport::Stdio && settings.reading.paths == PathStyle::Absolute &&
      from.copyRemoteSkills)
    settings.reading.copies = skillCopiesDirectory();
  settings.reading.projectRoot = from.projectRoot.value_or("");
  settings.instructions = from.instructions.value_or("");
  settings.defaultTopK = static_cast<std::int64_t>(from.defaultTopK);
  settings.reading.maxCharacters = from.maxSkillContentChars.value_or(0);
  settings.pageSize = from.pageSize;
  settings.startupWait = std::chrono::milliseconds(from.startupWaitMs);
  settings.deadlines = from.deadlines;
  settings.limits = from.limits;
  settings.cache = from.cache;
  settings.rateLimit = from.rateLimit;
  settings.passTrace = from.passTraces;
  settings.toolPlugins = !from.tools.empty();
  return settings;
}

SkillRules skillRules(const Configuration &from) {
  SkillRules rules;
  rules.sourceDeadline = from.deadlines.scan;
  rules.names = from.names;
  rules.strictness = from.skillRules;
  if (from.includeSkills.empty() && from.excludeSkills.empty()) return rules;
  rules.isWanted = [include = compileAll(from.includeSkills),
                    exclude = compileAll(from.excludeSkills)](std::string_view id) {
    const auto matches = [&](const Glob &glob) { return glob.matches(id); };
    if (std::any_of(exclude.begin(), exclude.end(), matches)) return false;
    return include.empty() || std::any_of(include.begin(), include.end(), matches);
  };
  return rules;
}

} // namespace skillhost::app
