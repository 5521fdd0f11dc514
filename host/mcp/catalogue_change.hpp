// SPDX-License-Identifier: Apache-2.0
// Computes for each caller what they see of a change of the catalogue or of the rules of
// visibility, and which lists of the protocol change for them.
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

// Exists while the sessions are notified of one change, on one thread. The effect is computed once
// for each view of the two catalogues.
class CatalogueChange {
public:
  using Pointer = std::shared_ptr<const Catalogue>;

  CatalogueChange(Services &services, CatalogueMoment now, CatalogueMoment before)
      : services_(services), now_(std::move(now)), before_(std::move(before)) {}

  // The change as one caller sees it. Other rules may hide plugins' offers, so these count in the
  // lists too.
  struct Seen {
    Pointer now, before;
    PluginToolsChanged pluginTools, lists; // lists: with the offers of plugins
    // True if skills/list or the folders of skills differ. This counts as a change of resources,
    // because they have no notification of their own.
    bool files = false;
  };
  // `principal` is null if callers must authenticate and nobody has asked yet: then nothing was
  // seen that could change. The reference is valid as long as this object.
  const Seen &seenBy(const PrincipalPointer &principal);

private:
  Services &services_;
  const CatalogueMoment now_, before_;
  std::deque<Seen> known_; // a deque does not move its elements
};

} // namespace skillhost
