// SPDX-License-Identifier: Apache-2.0
// From one source's documents to its skills, reusing those whose bytes have not changed.
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
  NameRule names = NameRule::First;                  // of all sources together
  std::size_t largestEntry = 16U << 20U;             // bytes of a SKILL.md
  std::size_t mostFiles = 512;                       // of one skill, for the skills extension
  std::uint64_t mostBytes = 16U << 20U;              // of one skill, for the skills extension
  std::chrono::milliseconds sourceDeadline{120'000}; // of one refresh of a source, all its calls
  // Is the skill "<source>/<path>" wanted at all? Empty: every one is.
  std::function<bool(std::string_view id)> wanted;
};

// Whether a skill has more files, or more bytes, than the skills extension serves.
bool isTooMuch(const Skill &skill, const SkillRules &rules = {}) noexcept;

// Of a skill that its source has and the lock does not allow: the code of its finding.
inline constexpr const char *notLockedCode = "not-locked";

// The code of the finding that the bytes of a SKILL.md could not be had, and how its message
// begins.
inline constexpr const char *unreadableCode = "unreadable";
inline constexpr std::string_view unreadableWords = "it cannot be read: ";

// All there is to know of one source at one revision. Immutable once built.
struct SourceSkills {
  std::string source, revision;
  std::map<std::string, Documents> documents;                 // by skill, each sorted by path
  std::map<std::string, std::shared_ptr<const Skill>> skills; // by path; the served ones
  std::map<std::string, std::string> facts;                   // by skill, or "*", as they were told
  std::map<std::string, std::string> refused;                 // by skill, as in a snapshot
  std::map<std::string, std::string> notices;                 // the same
  std::map<std::string, std::vector<Finding>> skipped;        // by path; why each is not served
  bool isFiltered = false; // by Source::isFilter(): its skills have no folder for readers
};

// What a source told, by skill.
struct SourceDocuments {
  std::string revision;
  std::map<std::string, Documents> documents; // each sorted by path, at least one
  std::map<std::string, std::string> facts, refused;
  std::map<std::string, std::string> notices{};
};

// A listing in which some entries have yet to be read.
struct PendingSkills {
  SourceSkills skills;
  std::vector<Document> unread; // entries that are new or changed
};

SourceDocuments bySkill(Snapshot snapshot);
// What the source told before, with what it tells now. Costs what has changed, and a pointer for
// each skill that has not.
SourceDocuments apply(const SourceSkills &before, Changes changes);
// What the source told, as it told it.
SourceDocuments documentsOf(const SourceSkills &skills);
// `before` may be null. Skills whose documents are all as they were are taken over.
PendingSkills arrange(const std::string &source, SourceDocuments told, const SourceSkills *before,
                      const SkillRules &rules);
// The skills at `paths` are served as they were `before` (which may be null), and `now` says that
// it is as old as that, so that the next refresh is told of them once more.
void keepAsTheyWere(SourceSkills &now, const SourceSkills *before,
                    const std::vector<std::string> &paths);

// What one entry's bytes come to: a skill, or the reasons why it is none. Any thread.
struct ReadSkill {
  std::shared_ptr<const Skill> skill;
  std::vector<Finding> skipped;
};
ReadSkill readSkill(const SourceSkills &all, const Document &entry, std::string_view bytes,
                    const SkillRules &rules);
// The same for an entry that could not be read.
ReadSkill unreadable(const Document &entry, const std::string &why);

} // namespace skillhost
