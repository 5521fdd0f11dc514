// SPDX-License-Identifier: Apache-2.0
// Reads the answer of a plugin's list(): its tools, prompts, resources and resource templates.
// Checks each entry against the rules of MCP.
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

inline constexpr std::size_t maxPluginToolListBytes = 4U << 20U;

// Describes a tool, prompt, resource or resource template of a plugin. The four kinds share this
// type, because the host treats them alike: it lists them, checks permissions and passes calls on.
struct PluginTool {
  // The identity within its kind: the name of a tool or prompt, the URI of a resource, or the
  // uriTemplate of a template.
  std::string key;
  std::string listEntry;              // the JSON object that lists such as tools/list contain
  bool readOnly = false;              // true only for a tool that states readOnlyHint
  Permission need = Permission::Read; // permission that a caller needs
  std::shared_ptr<ToolProvider> provider;
  std::vector<MirroredArgument> mirrored{}; // arguments repeated in header fields; only for a tool
  std::string listEntryWithoutSchema{};     // without its outputSchema; empty if it has none
};

struct PluginToolLists {
  std::vector<PluginTool> tools, prompts, resources, templates;
  std::vector<std::string> problems; // one for each entry that was left out, for the operator
};

// Reads `text`, the JSON that list() returned. Leaves out entries that break a rule. Fails if
// `text` as a whole is malformed.
Result<PluginToolLists> readPluginTools(std::string_view text,
                                        const std::shared_ptr<ToolProvider> &provider);

} // namespace skillhost
