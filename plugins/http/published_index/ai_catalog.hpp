// SPDX-License-Identifier: Apache-2.0
// The published skills as an AI Catalog, which directories read to find what a domain offers:
// application/ai-catalog+json, version 1.0 of https://github.com/Agent-Card/ai-catalog (a draft).
#pragma once

#include "skills/catalogue.hpp"

#include <string>
#include <string_view>

namespace skillhost {

constexpr std::string_view aiCatalogPath = "/.well-known/ai-catalog.json";
constexpr std::string_view aiCatalogType = "application/ai-catalog+json";

// Any thread.
class AiCatalog {
public:
  // `mcpUrl` is the URL of the MCP endpoint, as clients know it; "" if it has none. `cardName` is
  // the name of the server in its MCP Server Card ("com.example/skills"); "" if it has none.
  AiCatalog(std::string_view mcpUrl, std::string_view cardName);

  // False if the URL has no domain. Entries are identified by the domain of their publisher, so
  // such a server has no catalog.
  bool isPossible() const noexcept { return !domain_.empty(); }
  // Returns the text up to the first entry of a skill. It ends with the entry of the server card,
  // if there is one.
  std::string beginning() const;
  // Returns the entry of a skill as a JSON object. `digest` is the SHA-256 of its file.
  std::string entry(const CatalogueEntry &skill, std::string_view digest) const;

private:
  // Returns a JSON object without its last brace. `kind` is the fourth part of the URN, such as
  // "skill".
  std::string openEntry(std::string_view kind, std::string_view name, std::string_view type,
                        const std::string &url) const;

  const std::string mcpUrl_, origin_, domain_;
  const std::string cardWord_; // what is behind the slash of the card's name
};

} // namespace skillhost
