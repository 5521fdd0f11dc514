// SPDX-License-Identifier: Apache-2.0
// The filters of list_skills and find_helpful_skills by source and by category.
#pragma once

#include "mcp/tool.hpp"
#include "skills/catalogue.hpp"

#include <string>

namespace skillhost {

// For a result without skills: fails the call if the filter names a source or a category of which
// the caller sees no skill, and names the existing ones. `seen` is the catalogue as the caller sees
// it; "" is no filter. Returns false, and does nothing, if both names exist.
bool failForFilter(const ToolCall &tool, const Catalogue &seen, const std::string &source,
                   const std::string &category);

} // namespace skillhost
