// SPDX-License-Identifier: Apache-2.0
// The published skills as an AI Catalog, which directories read to find what a domain offers:
// application/ai-catalog+json, version 1.0 of https://github.com/Agent-Card/ai-catalog.
#pragma once

#include "index_text.hpp"

#include <string>
#include <string_view>

namespace skillhost {

constexpr std::string_view aiCatalogPath = "/.well-known/ai-catalog.json";
constexpr std::string_view aiCatalogType = "application/ai-catalog+json";

struct CatalogPlace {
  std::string mcpUrl;  // of the MCP endpoint, as clients know it
  std::string mcpPath; // of the MCP endpoint at this server; a proxy may put a path before it
  // The name of the server in its MCP Server Card ("com.example/skills"); empty if it has none.
  std::string cardName{};
};

// Returns the layout of the catalog. Its first entry is the server card, if there is one. The
// entries of skills have URLs below that of the MCP endpoint, and the SHA-256 of the file.
IndexLayout aiCatalogLayout(const CatalogPlace &place);

} // namespace skillhost
