// SPDX-License-Identifier: Apache-2.0
// The texts of a skill that a search uses besides its SKILL.md, and a mark of all that it uses.
#pragma once

#include "skills/skill.hpp"

#include <string>

namespace skillhost {

struct SearchTexts {
  std::string name;       // with the title
  std::string attributes; // JSON object, see plugin.h
};

SearchTexts searchTextsOf(const Skill &skill);
// Returns 15 letters, digits, - and _, which change whenever the name, the title, the description,
// the attributes or the SKILL.md changes, and are the same in every run. The skill must have all of
// these.
std::string searchRevisionOf(const Skill &skill);

} // namespace skillhost
