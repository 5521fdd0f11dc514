// SPDX-License-Identifier: Apache-2.0
// The page about one tool.
#pragma once

#include "ground/json.hpp"

#include <string>

namespace skillhost {

// What the page says beside what the server says.
struct ToolPage {
  const Json &tool;
  std::string argumentsType, resultType; // names in types.ts; empty: there is none
};
std::string toolPage(const ToolPage &page);

// A member that is a text; empty when it is none.
std::string textMember(const Json &object, const char *key);
// A tool's schema in canonical form; null when it has none that can be used: no object (or, of the
// arguments, not of type object), or too large to be shown.
Json usableSchema(const Json &tool, const char *key);

} // namespace skillhost
