// SPDX-License-Identifier: Apache-2.0
// What in the fields of a document somebody should look at before trusting it. What stands in its
// text is looked through by findings/inspect_text.hpp, which no start of a server waits for.
#pragma once

#include "skillmd/assessment.hpp"
#include "skillmd/finding.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace skillhost {

// Hooks and tools without limits among the fields. Any thread.
std::vector<Finding> inspectFields(const SkillFields &fields, const FrontMatter &matter,
                                   std::string_view file);

// The code of the finding that a document is not UTF-8.
inline constexpr const char *notUtf8Code = "encoding-invalid";

// Finds the first byte that is not UTF-8. It is an error unless the rules are lenient, because then
// a reader gets the document with that byte replaced. Any thread.
std::optional<Finding> inspectEncoding(std::string_view document, std::string_view file,
                                       Strictness strictness);

} // namespace skillhost
