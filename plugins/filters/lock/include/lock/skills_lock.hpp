// SPDX-License-Identifier: Apache-2.0
// skills.lock: what every source served when somebody looked at it and found it good, to the byte.
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
  std::string plugin;                        // as pluginName() has it
  std::string snapshot;                      // to go back to; empty: the source cannot
  std::map<std::string, LockedSkill> skills; // by the source's own name of the skill

  bool operator==(const SourceLock &) const = default;
};

struct SkillsLock {
  std::map<std::string, SourceLock> sources; // by name

  // The failure names the file and what is wrong with it: missing, damaged, or of a newer version.
  static Result<SkillsLock> read(const std::string &file);
  static Result<SkillsLock> parse(std::string_view text, const std::string &file);
  // The same sources come to the same bytes: sorted, a document a line.
  std::string text() const;

  bool operator==(const SkillsLock &) const = default;
};

// How the lock names a plugin: as the configuration does, or a file's name without folder and .so,
// so that a lock can be carried to another machine.
std::string pluginName(std::string_view configured);

// Tells in words how a skill differs from its entry in the lock; empty when it does not.
std::string differenceOf(const LockedSkill &locked, const LockedSkill &now);
// What `listed`, the documents of one skill, has otherwise than `locked`, as far as that shows
// without their bytes; in words, empty when nothing.
std::string differenceOf(const LockedSkill &locked, std::span<const Document> listed);

} // namespace skillhost
