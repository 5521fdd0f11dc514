// SPDX-License-Identifier: Apache-2.0
// Reads the fields of the front matter, except name and description, whose rules are in
// assessment.hpp. Authors put some fields in different places, for example at the top level or
// below `metadata`; this finds them in each.
#pragma once

#include "skillmd/assessment.hpp"

#include <string_view>

namespace skillhost {

// Fills every member of `fields` except name and description, and adds a warning for each value of
// the wrong type. `file` names the document in the findings.
void readFields(const FrontMatter &frontMatter, std::string_view file, SkillFields &fields,
                std::vector<Finding> &findings);

// Makes a finding at the line of the top-level key, or at the first line if the key is missing.
Finding findingAt(const FrontMatter &frontMatter, std::string_view file, std::string_view key,
                  Severity severity, std::string_view code, std::string message,
                  std::string advice);

} // namespace skillhost
