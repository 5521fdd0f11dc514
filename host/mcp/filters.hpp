// SPDX-License-Identifier: Apache-2.0
// Explains an empty result of list_skills or find_helpful_skills whose filter names an unknown
// source or category.
#pragma once

#include "mcp/tool.hpp"
#include "skills/catalogue.hpp"

#include <string>

namespace skillhost {

// Call this if a search or list has found nothing. `visible` is the catalogue as the caller sees
// it. If it has no source named `source`, or no skill in `category`, this function fails the call
// with a message that lists the existing names, and returns true. Otherwise it returns false. An
// empty `source` or `category` is not checked.
bool failIfFilterUnknown(const ToolCall &call, const Catalogue &visible, const std::string &source,
                         const std::string &category);

} // namespace skillhost
