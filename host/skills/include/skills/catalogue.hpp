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

// The code of the finding about a skill whose name another skill has or claims too.
inline constexpr const char *nameTakenCode = "name-taken";

// A skill and the name under which it is served.
struct CatalogueEntry {
  std::shared_ptr<const Skill> skill;
  // The name for tools: the skill's own (SkillFields::toolName), or the skill's id,
  // `<source>/<path>`, if another skill has that name.
  std::string name;
  bool listed = false; // is in skills/list; if not, a finding or its author says why
  // Generation of the catalogue that gave the entry this name; 0: the first one.
  std::uint64_t since = 0;

  // If false, only its exact name loads the skill. It is then in no list, search or tool for a
  // model.
  bool isForModels() const noexcept { return !skill->fields.hiddenFromModels; }
  // If false, the skill is no prompt.
  bool isForUsers() const noexcept { return !skill->fields.hiddenFromUsers; }
};

class CommonFacts; // see provenance.hpp

// The state of a source when the catalogue was made.
struct SourceStatus {
  std::string name;
  std::string revision;
  std::size_t skills = 0;
  std::string failure;   // empty: its last refresh succeeded; else its skills may be stale
  bool isAbsent = false; // it could not be made: it fails until the configuration is corrected
  std::shared_ptr<const CommonFacts> facts{}; // about all its skills; null: it states none
  Fault fault = Fault::OperationFailed;       // kind of the failure

  // Returns the failure without the source's name, if that stands before it.
  std::string_view reason() const noexcept {
    const std::string_view why = failure;
    return why.starts_with(name) && why.substr(name.size()).starts_with(": ")
               ? why.substr(name.size() + 2)
               : why;
  }

  // Returns "ok", "stale" if earlier skills are served, or "failed" if none are.
  std::string_view state() const noexcept {
    if (failure.empty()) return "ok";
    return revision.empty() || skills == 0 ? "failed" : "stale";
  }
};

// Says if the skills are complete, or if some sources must still answer for the first time.
struct Loading {
  bool isInProgress = false;
  std::size_t answered = 0, sources = 0; // both 0 for a caller who may not see all
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
  using Skills = std::vector<std::shared_ptr<const Skill>>;

  // The entries are in the order of the sources, then of the path. A URI that several entries claim
  // finds only the winner, see claimsBefore().
  Catalogue(std::uint64_t generation, std::vector<CatalogueEntry> entries,
            std::vector<SourceStatus> sources, std::vector<Finding> findings, Loading loading = {},
            NameRule nameRule = NameRule::First, Skills leftOut = {});
  Catalogue(const Catalogue &) = delete;
  Catalogue &operator=(const Catalogue &) = delete;

  // Grows by one with every catalogue that this process makes.
  std::uint64_t generation() const noexcept { return generation_; }
  const std::vector<CatalogueEntry> &entries() const noexcept { return entries_; }
  const std::vector<SourceStatus> &sources() const noexcept { return sources_; }
  const Loading &loading() const noexcept { return loading_; }
  NameRule nameRule() const noexcept { return nameRule_; }
  // True if there are sources and the last refresh of each of them failed.
  bool allFailed() const noexcept;
  // Findings about skills that are not served or not listed, and about names that several skills
  // claim.
  const std::vector<Finding> &findings() const noexcept { return findings_; }
  // Skills that are not served because of a fault. One whose SKILL.md cannot be used has an
  // empty path, and only an id, a source, the name of its folder and the findings; it counts as
  // being of any category. One that lost its name to another has no finding about that.
  const Skills &leftOut() const noexcept { return leftOut_; }

  // Finds an entry by its name, by its id ("<source>/<path>"), by a name that differs only in case,
  // or by the name that its author wrote, such as "PDF Tools" for "pdf-tools". Null if there is
  // none.
  const CatalogueEntry *byName(std::string_view name) const;
  // Finds the entry of "<source>/<path>"; null if there is none.
  const CatalogueEntry *byId(std::string_view id) const noexcept;
  // Finds the skill whose root or whose SKILL.md is `uri`; null if there is none.
  const CatalogueEntry *byUri(std::string_view uri) const;
  // Finds the file that a skill:// URI names, by a search in the lists, never by joining paths.
  FileReference file(std::string_view uri) const;
  // Does the same for a folder inside a skill, or the skill's own.
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
  const Skills leftOut_;
  EntryIndex names_, ids_;          // by texts in the entries
  Index authorNames_;               // by names as authors wrote them, if tools need another; folded
  EntryIndex uris_;                 // by the decoded root
  std::deque<std::string> decoded_; // decoded roots, to which items of uris_ refer
  std::size_t longestRoot_ = 0;
};

} // namespace skillhost
