// SPDX-License-Identifier: Apache-2.0
// Loading a skill into a session, for load_skill and for skills that are tools of their own.
#pragma once

#include "skills/catalogue.hpp"
#include "tool.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace skillhost {

struct LoadRequest {
  bool force = false;      // send the content in any case
  std::string knownDigest; // what the caller holds already
  std::size_t offset = 0;  // bytes of the content that the caller has; sends what follows
};

// `seen`: whose entry it is, what the caller sees of the catalogue.
void loadSkill(const ToolCall &tool, const std::shared_ptr<const Catalogue> &seen,
               const CatalogueEntry &entry, const LoadRequest &request);

} // namespace skillhost
