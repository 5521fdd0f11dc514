// SPDX-License-Identifier: Apache-2.0
// What stands in a list of the protocol, in its order: something of the host's own, the skills,
// more of the host's own, what plugins offer.
#pragma once

#include "mcp/listings.hpp"
#include "mcp/plugin_tools.hpp"
#include "skills/catalogue.hpp"

#include <cstddef>
#include <vector>

namespace skillhost {

// What it points to must outlive it.
struct ListOrder {
  std::size_t before = 0; // of the host's own, which never change
  std::vector<const CatalogueEntry *> skills;
  std::size_t between = 0; // the same
  std::vector<const PluginTool *> fromPlugin;

  std::size_t size() const noexcept { return before + skills.size() + between + fromPlugin.size(); }
  // `seen` is the catalogue as the caller sees it: anybody can write a cursor, and must not learn
  // from it which sources there are besides. Must not outlive this nor `seen`.
  ListKeys keys(const Catalogue &seen) const;
};

} // namespace skillhost
