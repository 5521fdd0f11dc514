// SPDX-License-Identifier: Apache-2.0
// `skillhost skill new` makes the folder of a new skill.
#pragma once

#include "ground/result.hpp"

#include <string>

namespace skillhost::app {

struct NewSkillInvocation {
  std::string name;
  std::string folder;      // absolute parent of the skill's folder
  std::string description; // empty: a text to replace
};

// Makes <folder>/<name>/SKILL.md, which passes `skillhost validate --strict`, and returns its path.
// Fails with advice if the name or the description is invalid, and if there is such a folder
// already; nothing is changed then.
Result<std::string> makeSkill(const NewSkillInvocation &skill);

// Runs the command: prints the path or the failure. Returns the exit code.
int newSkill(const NewSkillInvocation &skill);

} // namespace skillhost::app
