// SPDX-License-Identifier: Apache-2.0
// `skillhost skill new`: the folder of a skill to begin with.
#pragma once

#include "ground/result.hpp"

#include <string>

namespace skillhost::app {

struct NewSkillInvocation {
  std::string name;
  std::string folder;      // absolute: where the skill's own folder is made
  std::string description; // empty: one to be rewritten
};

// Makes <folder>/<name>/SKILL.md, which `skillhost validate --strict` has nothing to say about, and
// answers with its path. Fails with what to write when the name or the description cannot stand
// there, and where there is such a folder already; nothing is changed then.
Result<std::string> makeSkill(const NewSkillInvocation &skill);

// The command: prints the path, or why not. The exit code.
int newSkill(const NewSkillInvocation &skill);

} // namespace skillhost::app
