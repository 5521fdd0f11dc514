// SPDX-License-Identifier: Apache-2.0
#include "skills/catalogue.hpp"

#include "places.hpp"
#include "skillmd/naming.hpp"
#include "skillmd/slug.hpp"

#include <algorithm>
#include <set>

namespace skillhost {

Catalogue::Catalogue(std::uint64_t generation, std::vector<CatalogueEntry> entries,
                     std::vector<SourceStatus> sources, std::vector<Finding> findings,
                     Loading loading, NameRule nameRule, Skills leftOut)
    : generation_(generation), entries_(std::move(entries)), sources_(std::move(sources)),
      findings_(std::move(findings)), loading_(loading), nameRule_(nameRule),
      leftOut_(std::move(leftOut)), names_(entries_.size()), ids_(entries_.size()),
      uris_(entries_.size()) {
  const auto claim = [](const CatalogueEntry *&winner, bool isFirst, const CatalogueEntry &entry) {
    if (!isFirst && claimsBefore(entry, *winner)) winner = &entry;
  };
  // By the strict rule, a name that several skills claim finds none of them. assignNames() has
  // given each of these skills its id as its name.
  std::set<std::string_view> contested;
  if (nameRule == NameRule::Strict)
    for (const CatalogueEntry &entry : entries_)
      if (entry.name == entry.skill->id) contested.insert(entry.skill->fields.toolName);
  for (const CatalogueEntry &entry : entries_) {
    const Skill &skill = *entry.skill;
    names_.emplace(entry.name, &entry);
    ids_.emplace(skill.id, &entry);
    // A name with a slash finds nothing, because it looks like an id. The skill with that id may
    // have been removed, and a question for it must not find another skill.
    if (skill.fields.name != skill.fields.toolName &&
        skill.fields.name.find('/') == std::string::npos &&
        !contested.contains(skill.fields.toolName)) {
      std::string written = foldedName(skill.fields.name);
      const bool isAmbiguous = nameRule == NameRule::Strict && authorNames_.contains(written);
      if (isAmbiguous)
        authorNames_[written] = nullptr; // none of the skills gets the name
      else if (!contested.contains(written)) {
        const auto [named, isFirst] = authorNames_.emplace(std::move(written), &entry);
        claim(named->second, isFirst, entry);
      }
    }
    std::string_view root = skill.uri;
    if (root.find('%') != std::string_view::npos)
      if (std::optional<std::string> decoded = decodePath(skill.uri); decoded)
        root = decoded_.emplace_back(*std::move(decoded));
    longestRoot_ = std::max(longestRoot_, root.size());
    const auto [item, isFirst] = uris_.emplace(root, &entry);
    claim(uris_[item].entry, isFirst, entry);
  }
}

bool Catalogue::allFailed() const noexcept {
  return !sources_.empty() &&
         std::all_of(sources_.begin(), sources_.end(),
                     [](const SourceStatus &source) { return !source.failure.empty(); });
}

const CatalogueEntry *Catalogue::byName(std::string_view name) const {
  if (const CatalogueEntry *const named = names_.find(name); named != nullptr) return named;
  if (const CatalogueEntry *const entry = byId(name); entry != nullptr) return entry;
  constexpr std::size_t maxNameBytes = 1024; // longer names are not worth folding
  if (name.size() > maxNameBytes) return nullptr;
  // An entry whose name differs from `name` only in case comes before one whose author wrote
  // `name`.
  const std::string folded = foldedName(name);
  if (const CatalogueEntry *const named = names_.find(folded); named != nullptr) return named;
  const auto found = authorNames_.find(folded);
  return found == authorNames_.end() ? nullptr : found->second;
}

const CatalogueEntry *Catalogue::byId(std::string_view id) const noexcept { return ids_.find(id); }

const CatalogueEntry *Catalogue::byUri(std::string_view uri) const {
  const std::optional<std::string> decoded = decodePath(uri);
  if (!decoded) return nullptr;
  if (const CatalogueEntry *const root = uris_.find(*decoded); root != nullptr) return root;
  const FileReference found = file(uri);
  if (found.entry == nullptr) return nullptr;
  const Skill &skill = *found.entry->skill;
  return skill.files[found.file] == skill.entry() ? found.entry : nullptr;
}

// Calls `body` with every root at or above `whole` until it returns true. The longest root comes
// first, because a nested file belongs to the inner skill.
template <class Body> void Catalogue::eachRoot(std::string_view whole, Body &&body) const {
  if (!whole.starts_with(skillScheme)) return;
  for (std::size_t end = whole.size(); end != std::string_view::npos && end > skillScheme.size();
       end = whole.rfind('/', end - 1)) {
    if (end > longestRoot_) continue; // no root is that long, so there is no need to hash it
    const CatalogueEntry *const found = uris_.find(whole.substr(0, end));
    if (found == nullptr) continue;
    if (body(*found, end == whole.size() ? std::string_view{} : whole.substr(end + 1))) return;
  }
}

FileReference Catalogue::file(std::string_view uri) const {
  FileReference result;
  const std::optional<std::string> decoded = decodePath(uri);
  if (!decoded) return result;
  eachRoot(*decoded, [&](const CatalogueEntry &entry, std::string_view path) {
    const std::size_t at = entry.skill->fileAt(path);
    if (at != Skill::npos) result = {&entry, at};
    return at != Skill::npos;
  });
  return result;
}

FolderReference Catalogue::folder(std::string_view uri) const {
  FolderReference result;
  const std::optional<std::string> decoded = decodePath(uri);
  if (!decoded) return result;
  eachRoot(*decoded, [&](const CatalogueEntry &entry, std::string_view path) {
    const std::string below = path.empty() ? std::string() : std::string(path) + "/";
    const auto &paths = entry.skill->filePaths;
    const auto first = std::lower_bound(paths.begin(), paths.end(), below);
    const bool found = first != paths.end() && first->starts_with(below);
    if (found) result = {&entry, std::string(path)};
    return found;
  });
  return result;
}

} // namespace skillhost
