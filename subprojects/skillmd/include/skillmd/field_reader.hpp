// SPDX-License-Identifier: Apache-2.0
// Reads the fields of a skill that need no verdict, wherever authors put them.
#pragma once

#include "skillmd/assessment.hpp"

#include <string_view>

namespace skillhost {

// Fills everything but name and description, and adds a warning for each value of the wrong type.
void readFields(const FrontMatter &matter, std::string_view file, SkillFields &fields,
                std::vector<Finding> &findings);

// A finding at the top-level key, or at the first line when there is none.
Finding findingAt(const FrontMatter &matter, std::string_view file, std::string_view key,
                  Severity severity, std::string_view code, std::string message,
                  std::string advice);

} // namespace skillhost
