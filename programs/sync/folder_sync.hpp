// SPDX-License-Identifier: Apache-2.0
// Makes one folder of skills hold what a source offers.
#pragma once

#include "folder_lock.hpp"
#include "plan.hpp"
#include "skill_source.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::sync {

struct SyncedSkill {
  PlannedSkill plan;
  std::string failure; // the reason why the plan was not carried out; empty: it was
};

struct FolderOutcome {
  std::vector<SyncedSkill> skills; // sorted by name
  // The source's bytes differ from those that it has offered: its content has changed since, or
  // the server lies. Another offer may help.
  bool isStale = false;
};

enum class Effect : std::uint8_t { Apply, OnlyPlan };

// Writes, replaces and removes whole skills: a reader finds the old or the new one, never a part.
// With Apply, another run for the same folder waits. A killed run leaves nothing that the next one
// does not repair. Throws std::runtime_error if the folder cannot be used at all.
FolderOutcome syncFolder(const std::string &folder, SkillSource &source, const Offer &offer,
                         Effect effect, const LockWait &wait = {});

// Removes every skill that sync has written there, from any source, unless somebody has changed it.
// Throws as above.
FolderOutcome clearFolder(const std::string &folder, Effect effect, const LockWait &wait = {});

} // namespace skillhost::sync
