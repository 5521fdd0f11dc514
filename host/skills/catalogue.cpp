// SPDX-License-Identifier: Apache-2.0
#include "skills/catalogue.hpp"

#include "skills/naming.hpp"

#include <algorithm>

namespace skillhost {

Catalogue::Catalogue(std::uint64_t generation, std::vector<CatalogueEntry> entries,
                     std::vector<SourceStatus> sources, std::vector<Finding> findings)
    : generation_(generation), entries_(std::move(entries)), sources_(std::move(sources)),
      findings_(std::move(findings)) {
  names_.reserve(entries_.size() * 2);
  uris_.reserve(entries_.size());
  for (const CatalogueEntry &entry : entries_) {
    const Skill &skill = *entry.skill;
    if (skill.byTools) names_.emplace(entry.name, &entry);
    ids_.emplace(skill.id, &entry);
    std::string root = decodePath(skill.uri).value_or(skill.uri);
    longestRoot_ = std::max(longestRoot_, root.size());
    uris_.emplace(std::move(root), &entry);
  }
  // After every name that is given out: nobody's alias stands in for another's name.
  for (const CatalogueEntry &entry : entries_)
    if (entry.skill->byTools)
      names_.emplace(entry.skill->source + "/" + entry.skill->fields.name, &entry);
}

const CatalogueEntry *Catalogue::byName(std::string_view name) const noexcept {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : found->second;
}

const CatalogueEntry *Catalogue::byId(std::string_view id) const noexcept {
  const auto found = ids_.find(id);
  return found == ids_.end() ? nullptr : found->second;
}

const CatalogueEntry *Catalogue::byUri(std::string_view uri) const {
  const std::optional<std::string> decoded = decodePath(uri);
  if (!decoded) return nullptr;
  if (const auto root = uris_.find(*decoded); root != uris_.end()) return root->second;
  const FileReference found = file(uri);
  if (found.entry == nullptr) return nullptr;
  const Skill &skill = *found.entry->skill;
  return skill.files[found.file] == skill.entry ? found.entry : nullptr;
}

// Every root that `whole` lies below, the longest first: what is nested belongs to the inner skill.
template <class Body> void Catalogue::eachRoot(std::string_view whole, Body &&body) const {
  if (!whole.starts_with(skillScheme)) return;
  for (std::size_t end = whole.size(); end != std::string_view::npos && end > skillScheme.size();
       end = whole.rfind('/', end - 1)) {
    if (end > longestRoot_) continue; // nothing that long is a root: not worth the hashing
    const auto found = uris_.find(whole.substr(0, end));
    if (found == uris_.end()) continue;
    if (body(*found->second, end == whole.size() ? std::string_view{} : whole.substr(end + 1)))
      return;
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
