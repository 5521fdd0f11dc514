// SPDX-License-Identifier: Apache-2.0
// The list of what one plugin offers besides the skills, read and checked against the rules of MCP.
#pragma once

#include "access/permissions.hpp"
#include "ground/json.hpp"
#include "plugin/tools.hpp"
#include "rpc/mirrored_arguments.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

inline constexpr std::size_t largestPluginToolList = 4U << 20U;

struct PluginTool {
  std::string key;                    // the name of a tool or prompt, a URI, the text of a template
  std::string text;                   // as it stands in a list: a JSON object
  bool readOnly = false;              // only for a tool that says so
  Permission need = Permission::Read; // permission that a caller needs
  std::shared_ptr<ToolProvider> provider;
  std::vector<MirroredArgument> mirrored{}; // only for a tool
  std::string textWithoutSchema{};          // for a tool with an outputSchema: `text` without it
};

struct PluginToolLists {
  std::vector<PluginTool> tools, prompts, resources, templates;
  std::vector<std::string> withheld; // entries that break a rule, with the rule, for the operator
};

// Reads the result of list(). Fails if none of it can be used.
Result<PluginToolLists> readPluginTools(std::string_view text,
                                        const std::shared_ptr<ToolProvider> &provider);

} // namespace skillhost
