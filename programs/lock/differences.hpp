// SPDX-License-Identifier: Apache-2.0
// How one lock differs from another, for people.
#pragma once

#include "skills/skills_lock.hpp"

#include <string>
#include <vector>

namespace skillhost {

// What differs in `now`, a line for each snapshot and skill; empty when nothing does.
std::vector<std::string> differencesOf(const SkillsLock &locked, const SkillsLock &now);

} // namespace skillhost
