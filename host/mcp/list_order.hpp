// SPDX-License-Identifier: Apache-2.0
// The entries of a list of the protocol, in their order: some of the host's own, the skills, more
// of the host's own, and the offers of plugins.
#pragma once

#include "mcp/listings.hpp"
#include "mcp/plugin_tools.hpp"
#include "skills/catalogue.hpp"

#include <cstddef>
#include <vector>

namespace skillhost {

// Everything it points to must outlive it.
struct ListOrder {
  std::size_t before = 0; // of the host's own, which never change
  std::vector<const CatalogueEntry *> skills;
  std::size_t between = 0; // the same
  std::vector<const PluginTool *> fromPlugin;

  std::size_t size() const noexcept { return before + skills.size() + between + fromPlugin.size(); }
  // `seen` is the catalogue as the caller sees it: anybody can write a cursor, and must not learn
  // from it which other sources exist. The result must not outlive this object or `seen`.
  ListKeys keys(const Catalogue &seen) const;
};

} // namespace skillhost
