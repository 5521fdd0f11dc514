// SPDX-License-Identifier: Apache-2.0
// The catalogue: every skill of every source at one moment. Immutable; a change makes another one.
#pragma once

#include "ground/fault.hpp"
#include "ground/text_hash.hpp"
#include "skills/entry_index.hpp"
#include "skills/skill.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skillhost {

// Of a skill whose name another one has, or claims too: the code of its finding.
inline constexpr const char *nameTakenCode = "name-taken";

// A skill in its place among the others.
struct CatalogueEntry {
  std::shared_ptr<const Skill> skill;
  std::string name;    // the one tools take: bare for who has it, else the id, "<source>/<path>"
  bool listed = false; // in skills/list; false: withheld, and a finding or its author says why
  std::uint64_t since = 0; // the generation it came with under its name; 0: there from the start

  // False: only its exact name loads it. It is in no list, search or tool for a model.
  bool isForModels() const noexcept { return !skill->fields.hiddenFromModels; }
  // False: it is no prompt.
  bool isForUsers() const noexcept { return !skill->fields.hiddenFromUsers; }
};

class CommonFacts; // see provenance.hpp

// How a source stood when the catalogue was made.
struct SourceStatus {
  std::string name;
  std::string revision;
  std::size_t skills = 0;
  std::string failure; // empty: its last refresh went well; else what is shown may be stale
  bool absent = false; // it could not be made: it fails until the configuration is mended
  std::shared_ptr<const CommonFacts> facts{}; // of all its skills alike; null: it states none
  Fault fault = Fault::OperationFailed;       // of the failure

  // The failure without the source's name, with which it may begin.
  std::string_view reason() const noexcept {
    const std::string_view why = failure;
    return why.starts_with(name) && why.substr(name.size()).starts_with(": ")
               ? why.substr(name.size() + 2)
               : why;
  }

  // ok; stale: what was known is served; failed: nothing is.
  std::string_view state() const noexcept {
    if (failure.empty()) return "ok";
    return revision.empty() ? "failed" : "stale";
  }
};

// Whether the skills are all there are, or some sources have yet to answer for the first time.
struct Loading {
  bool goesOn = false;
  std::size_t answered = 0, sources = 0; // both 0 for who may not see all of them
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
            std::vector<SourceStatus> sources, std::vector<Finding> findings, Loading loading = {},
            NameRule nameRule = NameRule::First);
  Catalogue(const Catalogue &) = delete;
  Catalogue &operator=(const Catalogue &) = delete;

  // Grows by one with every catalogue this process makes.
  std::uint64_t generation() const noexcept { return generation_; }
  const std::vector<CatalogueEntry> &entries() const noexcept { return entries_; }
  const std::vector<SourceStatus> &sources() const noexcept { return sources_; }
  const Loading &loading() const noexcept { return loading_; }
  NameRule nameRule() const noexcept { return nameRule_; }
  // Whether there are sources, and the last refresh of each of them failed.
  bool allFailed() const noexcept;
  // Of skills that are not served at all, of names taken twice, of withheld ones.
  const std::vector<Finding> &findings() const noexcept { return findings_; }

  // The name that an entry has, or "<source>/<path>"; else one that is not valid as its author has
  // written it, in any case of its letters. Null when there is none.
  const CatalogueEntry *byName(std::string_view name) const;
  // "<source>/<path>"; null when there is none.
  const CatalogueEntry *byId(std::string_view id) const noexcept;
  // The skill whose root is `uri` or whose SKILL.md it is; null when there is none.
  const CatalogueEntry *byUri(std::string_view uri) const;
  // The file a skill:// URI names, by looking it up in the lists: never by joining paths.
  FileReference file(std::string_view uri) const;
  // The same for a folder inside a skill, or the skill's own.
  FolderReference folder(std::string_view uri) const;

private:
  using Index = std::unordered_map<std::string, const CatalogueEntry *, TextHash, std::equal_to<>>;

  template <class Body> void eachRoot(std::string_view whole, Body &&body) const;

  const std::uint64_t generation_;
  const std::vector<CatalogueEntry> entries_;
  const std::vector<SourceStatus> sources_;
  const std::vector<Finding> findings_;
  const Loading loading_;
  const NameRule nameRule_;
  EntryIndex names_, ids_;          // of what the entries hold
  Index written_;                   // names that are not the tools', folded
  EntryIndex uris_;                 // by the decoded root
  std::deque<std::string> decoded_; // of the roots that are not as the entries hold them
  std::size_t longestRoot_ = 0;
};

} // namespace skillhost
