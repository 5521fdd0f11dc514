// SPDX-License-Identifier: Apache-2.0
// The compiled-in files of the console, a page for browsers that speaks MCP.
#pragma once

#include <span>
#include <string_view>

namespace skillhost {

// All views point to constants. The page itself, "index.html", is short and not compressed, because
// the path of the MCP endpoint is written into it in place of the one in mcpEndpointInPage.
struct ConsoleFile {
  std::string_view path;        // below /console/: "index.html", "assets/index-C0ffee42.js"
  std::string_view contentType; // "text/html; charset=utf-8"
  std::string_view tag;         // an entity tag of the file, with the quotes
  std::string_view bytes;       // compressed by gzip, except the page
};

inline constexpr std::string_view consoleEntry = "index.html";
inline constexpr std::string_view mcpEndpointInPage = R"(name="mcp-endpoint" content="/mcp")";

// Returns the files in the order of their paths; empty if this server was built without the
// console.
std::span<const ConsoleFile> consolePage() noexcept;

} // namespace skillhost
