// SPDX-License-Identifier: Apache-2.0
// Tells people how one lock differs from another.
#pragma once

#include "lock/skills_lock.hpp"

#include <string>
#include <vector>

namespace skillhost {

// Returns a line for each snapshot and skill that differs in `now`; none when nothing does.
std::vector<std::string> differencesOf(const SkillsLock &locked, const SkillsLock &now);

} // namespace skillhost
