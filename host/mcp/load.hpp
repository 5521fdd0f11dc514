// SPDX-License-Identifier: Apache-2.0
// Loads a skill into a session, for load_skill and for skills that are tools of their own.
#pragma once

#include "mcp/tool.hpp"
#include "skills/catalogue.hpp"
#include "skills/skill_copies.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace skillhost {

struct LoadRequest {
  bool force = false;      // send the content in any case
  std::string knownDigest; // of the content that the caller has already
  std::size_t offset = 0;  // bytes of the content that the caller has; the rest is sent
};

// `seen` is the caller's view of the catalogue, which has the entry.
void loadSkill(const ToolCall &tool, const std::shared_ptr<const Catalogue> &seen,
               const CatalogueEntry &entry, const LoadRequest &request);

// Returns a function that tests whether the caller may still see the skill. The copy of the skill
// on disk is kept while it returns true.
SkillCopies::IsServed servedTo(const Call &call, const Skill &skill);

} // namespace skillhost
