// SPDX-License-Identifier: Apache-2.0
// Read-only copies of skills that have no folder on this machine, for readers who run their
// scripts here.
#pragma once

#include "ground/guarded.hpp"
#include "ground/result.hpp"
#include "skills/skill.hpp"

#include <set>
#include <string>
#include <vector>

namespace skillhost {

// Any thread. Several processes may use one directory.
class SkillCopies {
public:
  // Empty: there are no copies. It is created with the first copy, for its owner alone.
  explicit SkillCopies(std::string directory) : directory_(std::move(directory)) {}

  // True if the skill is to be copied: it is remote, has files besides its text, and is not large.
  bool wants(const Skill &skill) const noexcept;
  // True if this process has written or compared the copy of the skill, and it is still there.
  bool has(const Skill &skill) const;
  // The folder of the copy; it changes whenever a file of the skill does.
  std::string folderOf(const Skill &skill) const;
  // Writes the bytes of all files, in step with Skill::files. A copy that is there already is kept
  // if it has the same bytes. Copies that nobody has used for 30 days are removed.
  Status write(const Skill &skill, const std::vector<std::string> &bytes);

private:
  std::string directory_;
  Guarded<std::set<std::string>> written_; // folders
};

} // namespace skillhost
