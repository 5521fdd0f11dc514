// SPDX-License-Identifier: Apache-2.0
// What one plugin offers beside the skills: its list, read and held to the rules of MCP.
#pragma once

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
  std::string key;       // the name of a tool or prompt, a URI, the text of a template
  std::string text;      // as it stands in a list: a JSON object
  bool readOnly = false; // of a tool that says so
  std::shared_ptr<ToolProvider> provider;
  std::vector<MirroredArgument> mirrored{}; // of a tool
  std::string textWithoutSchema{};          // of a tool that names an outputSchema: `text` without
};

struct PluginToolLists {
  std::vector<PluginTool> tools, prompts, resources, templates;
  std::vector<std::string> withheld; // entries that break a rule, and which: for the operator
};

// Reads what list() gave. Failure: none of it can be used.
Result<PluginToolLists> readPluginTools(std::string_view text,
                                        const std::shared_ptr<ToolProvider> &provider);

} // namespace skillhost
