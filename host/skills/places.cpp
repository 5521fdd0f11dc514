// SPDX-License-Identifier: Apache-2.0
#include "places.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace skillhost {
namespace {

using Claims = std::unordered_map<std::string_view, const CatalogueEntry *>;

// Where a person finds it.
const std::string &placeOf(const Skill &skill) noexcept {
  return skill.entry().location.empty() ? skill.id : skill.entry().location;
}

Finding notice(const Skill &skill, std::string code, std::string message, std::string advice) {
  return {Severity::Warning,  std::move(code),  placeOf(skill), 0, 0,
          std::move(message), std::move(advice)};
}

bool folderHasTheName(const Skill &skill) noexcept {
  const std::string_view folder =
      std::string_view(skill.path).substr(skill.path.rfind('/') + 1); // npos + 1 is 0
  return folder == skill.fields.toolName || folder == skill.fields.name;
}

// Who holds a claim, once all have been made.
using Holder = const CatalogueEntry *const *;

Holder claim(Claims &claims, std::string_view what, const CatalogueEntry &entry,
             bool *isContested = nullptr) {
  const auto [holder, isFirst] = claims.emplace(what, &entry);
  if (!isFirst && claimsBefore(entry, *holder->second)) holder->second = &entry;
  if (isContested != nullptr) *isContested = !isFirst;
  return &holder->second;
}

} // namespace

bool claimsBefore(const CatalogueEntry &a, const CatalogueEntry &b) noexcept {
  if (a.since != b.since) return a.since < b.since;
  if (a.skill->source == b.skill->source) {
    const bool first = folderHasTheName(*a.skill), second = folderHasTheName(*b.skill);
    if (first != second) return first;
    // Whose name it really is, before whose name only comes to it.
    const bool isOwn = a.skill->fields.name == a.skill->fields.toolName;
    const bool isOther = b.skill->fields.name == b.skill->fields.toolName;
    if (isOwn != isOther) return isOwn;
    // Who may add a folder deep inside need not be allowed to add one beside the others.
    const auto depth = [](const Skill &skill) {
      return std::count(skill.path.begin(), skill.path.end(), '/');
    };
    if (depth(*a.skill) != depth(*b.skill)) return depth(*a.skill) < depth(*b.skill);
  }
  return &a < &b;
}

void givePlaces(std::vector<CatalogueEntry> &entries, NameRule rule,
                std::vector<Finding> &findings) {
  Claims names, uris;
  std::unordered_set<std::string_view> contested;
  names.reserve(entries.size());
  uris.reserve(entries.size());
  struct Holders {
    Holder ofName, ofUri;
  };
  std::vector<Holders> holders;
  holders.reserve(entries.size());
  for (const CatalogueEntry &entry : entries) {
    const std::string &bare = entry.skill->fields.toolName;
    bool isContested = false;
    const Holder ofName = claim(names, bare, entry, &isContested);
    if (isContested) contested.insert(bare);
    holders.push_back({ofName, claim(uris, entry.skill->uri, entry)});
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    CatalogueEntry &entry = entries[i];
    const Skill &skill = *entry.skill;
    const std::string &bare = skill.fields.toolName;
    const CatalogueEntry &named = **holders[i].ofName, &placed = **holders[i].ofUri;
    const bool isWithheld = rule == NameRule::Strict && contested.contains(bare);
    entry.name = &named == &entry && !isWithheld ? bare : skill.id;
    if (&named != &entry)
      findings.push_back(
          notice(skill, nameTakenCode,
                 "the name \"" + bare + "\" " +
                     (isWithheld ? "is that of no skill, as it is claimed by " : "belongs to ") +
                     named.skill->id + " (" + placeOf(*named.skill) + ")" +
                     (isWithheld ? " too" : "") + "; this one is served as \"" + skill.id + "\"",
                 "give one of them another name"));
    if (&placed == &entry) continue;
    entry.listed = false;
    findings.push_back(notice(skill, "uri-taken",
                              "its URI " + skill.uri + " is that of " + placed.skill->id,
                              "rename its folder"));
  }
}

} // namespace skillhost
