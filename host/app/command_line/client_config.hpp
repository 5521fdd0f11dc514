// SPDX-License-Identifier: Apache-2.0
// What to paste into a client so that it starts this server.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app {

inline constexpr std::string_view clientChoices =
    "claude-code|claude-desktop|vscode|cursor|goose|json";

struct ClientSnippet {
  std::string text;  // to paste, ends with a line feed
  std::string where; // one sentence: where it belongs
};

// `client` is one of clientChoices. The snippet starts `executable` with `arguments` under the name
// skillhost.
ClientSnippet clientSnippet(std::string_view client, const std::string &executable,
                            const std::vector<std::string> &arguments);

} // namespace skillhost::app
