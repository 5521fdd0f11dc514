// SPDX-License-Identifier: Apache-2.0
// The filters of list_skills and find_helpful_skills by source and by category.
#pragma once

#include "mcp/tool.hpp"
#include "skills/catalogue.hpp"

#include <string>

namespace skillhost {

// For a result without skills: fails the call when the filter names a source or a category that the
// caller sees none of, and names those that there are. `seen` is the catalogue as the caller sees
// it; "" is no filter. Returns false, and does nothing, when both names exist.
bool failForFilter(const ToolCall &tool, const Catalogue &seen, const std::string &source,
                   const std::string &category);

} // namespace skillhost
