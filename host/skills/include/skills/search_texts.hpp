// SPDX-License-Identifier: Apache-2.0
// What of a skill a search looks at besides the text of its SKILL.md, and the mark of all of it.
#pragma once

#include "skills/skill.hpp"

#include <string>

namespace skillhost {

struct SearchTexts {
  std::string name;       // with the title
  std::string attributes; // JSON object, see plugin.h
};

SearchTexts searchTextsOf(const Skill &skill);
// 15 letters, digits, - and _: others whenever the name, the title, the description, the
// attributes or the SKILL.md are, the same in every run. Of a skill that has all of these.
std::string searchRevisionOf(const Skill &skill);

} // namespace skillhost
