// SPDX-License-Identifier: Apache-2.0
// Arguments of a tool that its schema makes clients repeat in header fields (x-mcp-header; revision
// 2026-07-28, "Custom headers from tool parameters").
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct MirroredArgument {
  std::string field;             // "Mcp-Param-Region"
  std::vector<std::string> path; // from the arguments to the value
};

// Returns those of an inputSchema. Fails if an annotation breaks a rule, because clients then
// refuse the tool.
Result<std::vector<MirroredArgument>> mirroredArguments(const Json &inputSchema);

} // namespace skillhost
