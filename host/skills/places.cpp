// SPDX-License-Identifier: Apache-2.0
#include "places.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

namespace skillhost {
namespace {

// Returns the place where a person finds the skill.
const std::string &locationOf(const Skill &skill) noexcept {
  return skill.entry().location.empty() ? skill.id : skill.entry().location;
}

Finding notice(const Skill &skill, std::string code, std::string message, std::string advice,
               Severity severity = Severity::Warning) {
  return {severity, std::move(code),    locationOf(skill), 0,
          0,        std::move(message), std::move(advice)};
}

// Returns why a skill that did not get its own name is not served. `holder` may be the skill
// itself.
Finding notServed(const Skill &skill, const Skill &holder) {
  const std::string name = "the name \"" + skill.fields.toolName + "\" ";
  return notice(skill, nameTakenCode,
                &holder == &skill
                    ? name + "is claimed by another skill too, and names: strict gives it to none"
                    : name + "is claimed by " + holder.id + " (" + locationOf(holder) +
                          ") too, and skill_rules: basic serves one skill of a name at most",
                "give one of them another name", Severity::Error);
}

bool folderHasTheName(const Skill &skill) noexcept {
  const std::string_view folder =
      std::string_view(skill.path).substr(skill.path.rfind('/') + 1); // npos + 1 is 0
  return folder == skill.fields.toolName || folder == skill.fields.name;
}

constexpr std::array<std::string_view, 9> sideFolders{"build",        "dist",     "fixtures",
                                                      "node_modules", "template", "templates",
                                                      "test",         "testdata", "tests"};

struct Claim {
  std::uint32_t item; // index of the name or URI; its entry is the winner after the last claim
  bool isContested;   // an earlier entry claims the same
};

// Records that `entry` claims `what`, a name or a URI.
Claim claim(EntryIndex &claims, std::string_view what, const CatalogueEntry &entry) {
  const auto [item, isFirst] = claims.emplace(what, &entry);
  const CatalogueEntry *&holder = claims[item].entry;
  if (!isFirst && claimsBefore(entry, *holder)) holder = &entry;
  return {item, !isFirst};
}

} // namespace

std::string_view sideFolderOf(const Skill &skill) noexcept {
  std::string_view path = skill.path;
  // The last segment is the skill's own folder.
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    const std::string_view folder = path.substr(0, slash);
    if (std::find(sideFolders.begin(), sideFolders.end(), folder) != sideFolders.end())
      return folder;
    path.remove_prefix(slash + 1);
  }
  return {};
}

bool claimsBefore(const CatalogueEntry &a, const CatalogueEntry &b) noexcept {
  if (a.since != b.since) return a.since < b.since;
  if (a.skill->source == b.skill->source) {
    const bool isMain = sideFolderOf(*a.skill).empty();
    if (isMain != sideFolderOf(*b.skill).empty()) return isMain;
    const bool first = folderHasTheName(*a.skill), second = folderHasTheName(*b.skill);
    if (first != second) return first;
    // A skill whose author wrote this very name wins over one whose name was only turned into it.
    const bool isOwn = a.skill->fields.name == a.skill->fields.toolName;
    const bool isOther = b.skill->fields.name == b.skill->fields.toolName;
    if (isOwn != isOther) return isOwn;
    // An author who may add a folder deep inside may not be allowed to add one beside the others.
    const auto depth = [](const Skill &skill) {
      return std::count(skill.path.begin(), skill.path.end(), '/');
    };
    if (depth(*a.skill) != depth(*b.skill)) return depth(*a.skill) < depth(*b.skill);
  }
  return &a < &b;
}

void assignNames(std::vector<CatalogueEntry> &entries, NameRule rule,
                 std::vector<Finding> &findings) {
  EntryIndex names(entries.size()), uris(entries.size());
  std::unordered_set<std::string_view> contested;
  struct Holders {
    std::uint32_t ofName, ofUri; // indexes of items in `names` and `uris`
  };
  std::vector<Holders> holders;
  holders.reserve(entries.size());
  for (const CatalogueEntry &entry : entries) {
    const std::string &bare = entry.skill->fields.toolName;
    const Claim ofName = claim(names, bare, entry);
    if (ofName.isContested) contested.insert(bare);
    holders.push_back({ofName.item, claim(uris, entry.skill->uri, entry).item});
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    CatalogueEntry &entry = entries[i];
    const Skill &skill = *entry.skill;
    const std::string &bare = skill.fields.toolName;
    const CatalogueEntry &named = *names[holders[i].ofName].entry;
    const CatalogueEntry &placed = *uris[holders[i].ofUri].entry;
    const bool isWithheld = rule == NameRule::Strict && contested.contains(bare);
    const bool hasName = &named == &entry && !isWithheld;
    if (!hasName && skill.fields.mustKeepName) {
      findings.push_back(notServed(skill, *named.skill));
      continue;
    }
    entry.name = hasName ? bare : skill.id;
    if (&named != &entry)
      findings.push_back(
          notice(skill, nameTakenCode,
                 "the name \"" + bare + "\" " +
                     (isWithheld ? "is that of no skill, as it is claimed by " : "belongs to ") +
                     named.skill->id + " (" + locationOf(*named.skill) + ")" +
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
