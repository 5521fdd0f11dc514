// SPDX-License-Identifier: Apache-2.0
// Loading a skill into a session, for load_skill and for skills that are tools of their own.
#pragma once

#include "skills/catalogue.hpp"
#include "tool.hpp"

#include <string>

namespace skillhost {

struct LoadRequest {
  bool force = false;      // send the content in any case
  std::string knownDigest; // what the caller holds already
};

void loadSkill(const ToolCall &tool, const CatalogueEntry &entry, const LoadRequest &request);

} // namespace skillhost
