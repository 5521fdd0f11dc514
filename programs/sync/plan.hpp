// SPDX-License-Identifier: Apache-2.0
// Decides what happens to each skill of a folder. Accesses no file.
#pragma once

#include "skill_on_disk.hpp"
#include "skill_source.hpp"
#include "sync_manifest.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::sync {

enum class Action : std::uint8_t {
  Write,         // the skill is missing
  Update,        // sync has written it, and the source has another version
  Remove,        // sync has written it, and the source has it no more
  Forget,        // the same, but its folder is gone already
  None,          // it is as the source has it, or the source reads it from this folder
  LeftAlone,     // it would have to change, but somebody has changed it since sync wrote it
  Taken,         // its place is taken by something that sync has not written for this source
  KeptUnoffered, // sync has written it, and it stays although the source does not offer it: `why`
                 // says whether the offer is incomplete or nothing may be removed
};

struct PlannedSkill {
  std::string name;
  Action action = Action::None;
  std::vector<std::string> differences; // "SKILL.md differs", for LeftAlone
  std::string why;                      // for Taken and Keep
  SkillOnDisk onDisk;                   // as it was when this was decided
};

// The facts that decide about one skill. A null pointer means that there is none.
struct SkillFacts {
  const WrittenSkill *written = nullptr;
  const OfferedSkill *offered = nullptr;
  std::string_view origin;        // of the offer
  std::string_view whyIncomplete; // of the offer, or why it leaves this skill out
  bool comparesExecutables = true;
  std::string_view folder; // the folder that is synced
};

PlannedSkill planSkill(const std::string &name, SkillOnDisk onDisk, const SkillFacts &facts);

// Returns true if both have the same files.
bool areSameFiles(const FileStates &some, const FileStates &others, bool comparesExecutables);
// Returns true if the folder holds what sync has written, or was about to write.
bool isAsWritten(const WrittenSkill &written, const SkillOnDisk &onDisk, bool comparesExecutables);
// Says for people how a folder differs from what sync has written.
std::vector<std::string> differencesFrom(const FileStates &written, const SkillOnDisk &onDisk,
                                         bool comparesExecutables);

} // namespace skillhost::sync
