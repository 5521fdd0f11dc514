// SPDX-License-Identifier: Apache-2.0
// The catalogue: every skill of every source at one moment. Immutable; a change makes another one.
#pragma once

#include "skills/skill.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skillhost {

// A skill in its place among the others.
struct CatalogueEntry {
  std::shared_ptr<const Skill> skill;
  std::string name; // the one tools take: bare for the first of that name, else "<source>/<name>"
  bool listed = false; // in skills/list; false: withheld, and a finding says why
};

// How a source stood when the catalogue was made.
struct SourceStatus {
  std::string name;
  std::string revision;
  std::size_t skills = 0;
  std::string failure; // empty: its last refresh went well; else what is shown may be stale
};

struct FileReference {
  const CatalogueEntry *entry = nullptr;
  std::size_t file = 0; // index into entry->skill->files
};

struct FolderReference {
  const CatalogueEntry *entry = nullptr;
  std::string path; // relative to the skill; empty for the skill itself
};

class Catalogue {
public:
  // In order of the sources, then of the path. Entries that repeat a URI are withheld.
  Catalogue(std::uint64_t generation, std::vector<CatalogueEntry> entries,
            std::vector<SourceStatus> sources, std::vector<Finding> findings);
  Catalogue(const Catalogue &) = delete;
  Catalogue &operator=(const Catalogue &) = delete;

  // Grows by one with every catalogue this process makes.
  std::uint64_t generation() const noexcept { return generation_; }
  const std::vector<CatalogueEntry> &entries() const noexcept { return entries_; }
  const std::vector<SourceStatus> &sources() const noexcept { return sources_; }
  // Of skills that are not served at all, of names taken twice, of withheld ones.
  const std::vector<Finding> &findings() const noexcept { return findings_; }

  // A bare name or "<source>/<name>"; null when there is none.
  const CatalogueEntry *byName(std::string_view name) const noexcept;
  // "<source>/<path>"; null when there is none.
  const CatalogueEntry *byId(std::string_view id) const noexcept;
  // The skill whose root is `uri` or whose SKILL.md it is; null when there is none.
  const CatalogueEntry *byUri(std::string_view uri) const;
  // The file a skill:// URI names, by looking it up in the lists: never by joining paths.
  FileReference file(std::string_view uri) const;
  // The same for a folder inside a skill, or the skill's own.
  FolderReference folder(std::string_view uri) const;

private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  using Index = std::unordered_map<std::string, const CatalogueEntry *, Hash, std::equal_to<>>;

  template <class Body> void eachRoot(std::string_view whole, Body &&body) const;

  const std::uint64_t generation_;
  const std::vector<CatalogueEntry> entries_;
  const std::vector<SourceStatus> sources_;
  const std::vector<Finding> findings_;
  Index names_, ids_, uris_; // uris_ by the decoded root
  std::size_t longestRoot_ = 0;
};

} // namespace skillhost
