// SPDX-License-Identifier: Apache-2.0
// The order of the entries in a list of the protocol: entries of the host itself, skills, more
// entries of the host, and entries of plugins.
#pragma once

#include "mcp/listings.hpp"
#include "mcp/plugin_tools.hpp"
#include "skills/catalogue.hpp"

#include <cstddef>
#include <vector>

namespace skillhost {

// The entries that it points to must outlive it.
struct ListOrder {
  std::size_t front = 0; // number of the host's entries before the skills; they never change
  std::vector<const CatalogueEntry *> skills;
  std::size_t middle = 0; // number of the host's entries after the skills; they never change
  std::vector<const PluginTool *> fromPlugin;

  std::size_t size() const noexcept { return front + skills.size() + middle + fromPlugin.size(); }
  // `seen` is the catalogue as the caller sees it: anybody can write a cursor, and must not learn
  // from it which other sources exist. The result must not outlive this object or `seen`.
  ListKeys keys(const Catalogue &seen) const;
};

} // namespace skillhost
