// SPDX-License-Identifier: Apache-2.0
// Turns the documents of one source into its skills, reusing those whose bytes have not changed.
#pragma once

#include "plugin/documents.hpp"
#include "skills/skill.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct SkillRules {
  Strictness strictness = Strictness::Lenient;
  NameRule names = NameRule::First;                  // over all sources together
  std::size_t maxEntryBytes = 16U << 20U;            // bytes of a SKILL.md
  std::size_t maxFiles = 512;                        // of one skill, for the skills extension
  std::uint64_t maxBytes = 16U << 20U;               // of one skill, for the skills extension
  std::chrono::milliseconds sourceDeadline{120'000}; // for one refresh with all its calls
  // True if the skill "<source>/<path>" is wanted. Without a function, every skill is.
  std::function<bool(std::string_view id)> isWanted;
};

// True if a skill has more files, or more bytes, than the skills extension serves.
bool exceedsExtensionLimits(const Skill &skill, const SkillRules &rules = {}) noexcept;

// The code of the finding about a SKILL.md whose bytes could not be read, and the beginning of its
// message.
inline constexpr const char *unreadableCode = "unreadable";
inline constexpr std::string_view unreadableWords = "it cannot be read: ";

// Everything known of one source at one revision. Immutable once built.
struct SourceSkills {
  std::string source, revision;
  std::map<std::string, Documents> documents;                 // by skill, each sorted by path
  std::map<std::string, std::shared_ptr<const Skill>> skills; // by path; the served ones
  std::map<std::string, std::string> facts;                   // by skill, or "*", as stated
  std::map<std::string, SkillRefusal> refused;                // by skill, as in a snapshot
  std::map<std::string, std::string> notices;                 // the same
  std::map<std::string, std::vector<Finding>> skipped;        // by path; why it is not served
  bool isFiltered = false; // by Source::isFilter(): its skills have no folder for readers
};

// The documents and texts that a source listed, by skill.
struct SourceDocuments {
  std::string revision;
  std::map<std::string, Documents> documents; // each sorted by path, at least one
  std::map<std::string, std::string> facts;
  std::map<std::string, SkillRefusal> refused;
  std::map<std::string, std::string> notices{};
};

// A listing with some entries that must still be read.
struct PendingSkills {
  SourceSkills skills;
  // Entries that are new or changed. They belong to skills.documents, which must stay as it is
  // until they are read.
  std::vector<const Document *> unread;
};

SourceDocuments groupBySkill(Snapshot snapshot);
// Returns the source's earlier documents with the changes applied. This costs time for each changed
// skill, and a pointer for each other one.
SourceDocuments applyChanges(const SourceSkills &before, Changes changes);
// Returns the documents and texts as the source listed them.
SourceDocuments documentsOf(const SourceSkills &skills);
// Compares the listing with `before`, which may be null. Skills with unchanged documents are
// reused.
PendingSkills reuseUnchanged(const std::string &source, SourceDocuments listing,
                             const SourceSkills *before, const SkillRules &rules);
// Keeps the skills at `paths` as they were in `before` (which may be null), and gives `now` the
// revision of `before`, so that the next refresh gets their changes again.
void keepPrevious(SourceSkills &now, const SourceSkills *before,
                  const std::vector<std::string> &paths);

// The result of reading one entry: a skill, or the reasons why it is none. Any thread.
struct ReadSkill {
  std::shared_ptr<const Skill> skill;
  std::vector<Finding> skipped;
};
ReadSkill readSkill(const SourceSkills &all, const Document &entry, std::string_view bytes,
                    const SkillRules &rules);
// Returns the same for an entry that could not be read.
ReadSkill unreadable(const Document &entry, const std::string &why);

} // namespace skillhost
