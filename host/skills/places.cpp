// SPDX-License-Identifier: Apache-2.0
#include "places.hpp"

namespace skillhost {
namespace {

Finding notice(const Skill &skill, std::string code, std::string message, std::string advice) {
  return {Severity::Warning,
          std::move(code),
          skill.entry.location.empty() ? skill.id : skill.entry.location,
          0,
          0,
          std::move(message),
          std::move(advice)};
}

} // namespace

std::string Places::name(const Skill &skill, std::vector<Finding> &findings) {
  const std::string &bare = skill.fields.name;
  if (!skill.byTools) return bare;
  const auto [owner, isFirst] = names_.emplace(bare, skill.id);
  if (isFirst) return bare;
  std::string qualified = skill.source + "/" + bare;
  // Several of one name in one source are told apart by number.
  for (int n = 2; !names_.emplace(qualified, skill.id).second; ++n)
    qualified = skill.source + "/" + bare + "-" + std::to_string(n);
  findings.push_back(notice(skill, "name-taken",
                            "the name \"" + bare + "\" belongs to " + owner->second +
                                "; this one is served as \"" + qualified + "\"",
                            "give one of them another name"));
  return qualified;
}

bool Places::uri(const Skill &skill, std::vector<Finding> &findings) {
  const auto [owner, isFirst] = uris_.emplace(skill.uri, skill.id);
  if (!isFirst)
    findings.push_back(notice(skill, "uri-taken",
                              "its URI " + skill.uri + " is that of " + owner->second,
                              "rename its folder"));
  return isFirst;
}

} // namespace skillhost
