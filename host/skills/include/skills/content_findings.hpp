// SPDX-License-Identifier: Apache-2.0
// What in a document somebody should look at before trusting it: hidden characters, hidden
// instructions, commands that fetch and run. Patterns advise; they never decide what is served.
#pragma once

#include "skills/assessment.hpp"
#include "skills/finding.hpp"

#include <string_view>
#include <vector>

namespace skillhost {

// Each kind of finding at most once, at its first place, with the number of places. Linear time;
// `document` may be any bytes. Any thread.
std::vector<Finding> inspectContent(std::string_view document, std::string_view file);

// Hooks and tools without limits among the fields.
std::vector<Finding> inspectFields(const SkillFields &fields, const FrontMatter &matter,
                                   std::string_view file);

} // namespace skillhost
