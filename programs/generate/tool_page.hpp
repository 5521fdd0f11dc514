// SPDX-License-Identifier: Apache-2.0
// Writes the page about one tool.
#pragma once

#include "ground/json.hpp"

#include <string>

namespace skillhost {

// The tool as the server describes it, and our names for its types.
struct ToolPage {
  const Json &tool;
  std::string argumentsType, resultType; // names in types.ts; empty: none
};
std::string toolPage(const ToolPage &page);

// Returns a text member; empty if there is none.
std::string textMember(const Json &object, const char *key);
// Returns a tool's schema in canonical form; null if it has no usable one: not an object (for
// arguments: not of type object), or too large to show.
Json usableSchema(const Json &tool, const char *key);

} // namespace skillhost
