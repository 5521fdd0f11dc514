// SPDX-License-Identifier: Apache-2.0
// `client-config`: what makes a client start this server, or reach one.
#pragma once

#include "commandline/description.hpp"

#include <string_view>

namespace skillhost::app {

// "a|b|c", as the command line describes choices; "json" is any client that reads mcpServers.
inline constexpr std::string_view clientChoices =
    "claude-code|claude-desktop|vscode|cursor|windsurf|zed|codex|gemini-cli|goose|opencode|json";

CommandDescription clientConfigDescription(const ArgumentDescription &help);

} // namespace skillhost::app
