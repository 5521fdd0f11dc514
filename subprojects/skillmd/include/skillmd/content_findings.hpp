// SPDX-License-Identifier: Apache-2.0
// Finds the fields of a document that somebody should look at before trusting it.
// skillcheck/inspect_text.hpp inspects the text itself, and no start of a server waits for that.
#pragma once

#include "skillmd/assessment.hpp"
#include "skillmd/finding.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace skillhost {

// Reports hooks, and tools without limits. May be called on any thread.
std::vector<Finding> inspectFields(const SkillFields &fields, const FrontMatter &matter,
                                   std::string_view file);

// The code of the finding that a document is not UTF-8.
inline constexpr const char *notUtf8Code = "encoding-invalid";

// Finds the first byte that is not UTF-8. It is an error except by the lenient rules, because then
// readers get the document with that byte replaced. May be called on any thread.
std::optional<Finding> inspectEncoding(std::string_view document, std::string_view file,
                                       Strictness strictness);

} // namespace skillhost
