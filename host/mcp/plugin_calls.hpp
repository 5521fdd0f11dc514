// SPDX-License-Identifier: Apache-2.0
// Calls that a plugin answers: its tools, prompts, resources and completions.
#pragma once

#include "mcp/call.hpp"
#include "mcp/plugin_tools.hpp"

namespace skillhost {

// Each of these answers the call, at its deadline at the latest.
void callPluginTool(const CallPointer &call, const PluginTool &tool, const Json &arguments);
void getPluginPrompt(const CallPointer &call, const PluginTool &prompt);
void readPluginResource(const CallPointer &call, const PluginTool &resource,
                        const std::string &uri);
// The request was checked before: `argument` and `value` are to be completed.
void completeByPlugin(const CallPointer &call, const PluginTool &pluginTool,
                      const std::string &argument, const std::string &value);

} // namespace skillhost
