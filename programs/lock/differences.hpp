// SPDX-License-Identifier: Apache-2.0
// Describes for people how two locks differ.
#pragma once

#include "lock/skills_lock.hpp"

#include <string>
#include <vector>

namespace skillhost {

// Returns a line for each snapshot and skill that differs in `now`; none if nothing differs.
std::vector<std::string> differencesOf(const SkillsLock &locked, const SkillsLock &now);

} // namespace skillhost
