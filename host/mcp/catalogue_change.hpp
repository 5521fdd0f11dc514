// SPDX-License-Identifier: Apache-2.0
// A change of the catalogue, or of the rules of visibility, as each caller sees it, and which lists
// of the protocol are other bytes after it.
#pragma once

#include "access/principal.hpp"
#include "access/visibility.hpp"
#include "mcp/change_notices.hpp"
#include "mcp/plugin_tools.hpp"
#include "skills/catalogue.hpp"

#include <deque>
#include <memory>
#include <utility>

namespace skillhost {

struct Services;

// Lives while the sessions are told of one change, on one thread: what it comes to is found out
// once for each view of the two catalogues.
class CatalogueChange {
public:
  using Pointer = std::shared_ptr<const Catalogue>;

  CatalogueChange(Services &services, CatalogueMoment now, CatalogueMoment before)
      : services_(services), now_(std::move(now)), before_(std::move(before)) {}

  // As one caller sees it. What plugins offer is in the lists too when other rules hide it.
  struct Seen {
    Pointer now, before;
    PluginToolsChanged pluginTools, lists; // lists: offers included
    // skills/list and the folders of skills are other ones; that counts as resources, since they
    // have no notification of their own.
    bool files = false;
  };
  // Null where callers must say who they are: nobody has asked yet, and so has seen nothing that
  // could change. Valid as long as this.
  const Seen &seenBy(const PrincipalPointer &principal);

private:
  Services &services_;
  const CatalogueMoment now_, before_;
  std::deque<Seen> known_; // does not move what it holds
};

} // namespace skillhost
