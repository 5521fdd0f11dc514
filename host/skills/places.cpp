// SPDX-License-Identifier: Apache-2.0
#include "places.hpp"

#include <string_view>
#include <unordered_map>

namespace skillhost {
namespace {

using Claims = std::unordered_map<std::string_view, const CatalogueEntry *>;

Finding notice(const Skill &skill, std::string code, std::string message, std::string advice) {
  return {Severity::Warning,
          std::move(code),
          skill.entry.location.empty() ? skill.id : skill.entry.location,
          0,
          0,
          std::move(message),
          std::move(advice)};
}

bool folderHasTheName(const Skill &skill) noexcept {
  const std::string_view folder =
      std::string_view(skill.path).substr(skill.path.rfind('/') + 1); // npos + 1 is 0
  return folder == skill.fields.toolName || folder == skill.fields.name;
}

void claim(Claims &claims, std::string_view what, const CatalogueEntry &entry) {
  const auto [holder, isFirst] = claims.emplace(what, &entry);
  if (!isFirst && claimsBefore(entry, *holder->second)) holder->second = &entry;
}

} // namespace

bool claimsBefore(const CatalogueEntry &a, const CatalogueEntry &b) noexcept {
  if (a.since != b.since) return a.since < b.since;
  if (a.skill->source == b.skill->source) {
    // Whose name it really is, before whose name only comes to it.
    const bool isOwn = a.skill->fields.name == a.skill->fields.toolName;
    const bool isOther = b.skill->fields.name == b.skill->fields.toolName;
    if (isOwn != isOther) return isOwn;
    const bool first = folderHasTheName(*a.skill), second = folderHasTheName(*b.skill);
    if (first != second) return first;
  }
  return &a < &b;
}

void givePlaces(std::vector<CatalogueEntry> &entries, std::vector<Finding> &findings) {
  Claims names, uris;
  names.reserve(entries.size());
  uris.reserve(entries.size());
  for (const CatalogueEntry &entry : entries) {
    claim(names, entry.skill->fields.toolName, entry);
    claim(uris, entry.skill->uri, entry);
  }
  for (CatalogueEntry &entry : entries) {
    const Skill &skill = *entry.skill;
    const std::string &bare = skill.fields.toolName;
    const CatalogueEntry &named = *names.at(bare), &placed = *uris.at(skill.uri);
    entry.name = &named == &entry ? bare : skill.id;
    if (&named != &entry)
      findings.push_back(notice(skill, "name-taken",
                                "the name \"" + bare + "\" belongs to " + named.skill->id +
                                    "; this one is served as \"" + skill.id + "\"",
                                "give one of them another name"));
    if (&placed == &entry) continue;
    entry.listed = false;
    findings.push_back(notice(skill, "uri-taken",
                              "its URI " + skill.uri + " is that of " + placed.skill->id,
                              "rename its folder"));
  }
}

} // namespace skillhost
