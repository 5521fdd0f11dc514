// SPDX-License-Identifier: Apache-2.0
// skills.lock: the exact content of every source at the time when somebody accepted it.
#pragma once

#include "document_digests.hpp"
#include "ground/result.hpp"
#include "plugin/document.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct SourceLock {
  std::string plugin; // as pluginName() returns it
  // The snapshot to go back to; empty if the source cannot go back.
  std::string snapshot;
  std::map<std::string, LockedSkill> skills; // by the name that the source has for the skill

  bool operator==(const SourceLock &) const = default;
};

struct SkillsLock {
  std::map<std::string, SourceLock> sources; // by name

  // Reads a lock. The failure names the file and says whether it is missing, damaged or of a newer
  // version.
  static Result<SkillsLock> read(const std::string &file);
  static Result<SkillsLock> parse(std::string_view text, const std::string &file);
  // Equal sources result in equal bytes: sorted, with one line for each document.
  std::string text() const;

  bool operator==(const SkillsLock &) const = default;
};

// Returns the name of a plugin in the lock: the configured name, or the name of its file without
// folder and .so, so that a lock can be used on another machine.
std::string pluginName(std::string_view configured);

// Describes in words how a skill differs from its entry in the lock; empty if it does not.
std::string differenceOf(const LockedSkill &locked, const LockedSkill &now);
// Describes in words how `listed`, the documents of one skill, differs from `locked`, as far as
// that is known without their bytes; empty if it does not.
std::string differenceOf(const LockedSkill &locked, std::span<const Document> listed);

} // namespace skillhost
