// SPDX-License-Identifier: Apache-2.0
// Reads the fields of a skill that need no judgement, wherever authors put them.
#pragma once

#include "skillmd/assessment.hpp"

#include <string_view>

namespace skillhost {

// Fills every field except name and description, and adds a warning for each value of the wrong
// type.
void readFields(const FrontMatter &matter, std::string_view file, SkillFields &fields,
                std::vector<Finding> &findings);

// Makes a finding at the top-level key, or at the first line if the key is missing.
Finding findingAt(const FrontMatter &matter, std::string_view file, std::string_view key,
                  Severity severity, std::string_view code, std::string message,
                  std::string advice);

} // namespace skillhost
