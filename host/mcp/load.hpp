// SPDX-License-Identifier: Apache-2.0
// Loading a skill into a session, for load_skill and for skills that are tools of their own; and
// for how long a copy of it is kept, for all who load one.
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
  std::string knownDigest; // what the caller holds already
  std::size_t offset = 0;  // bytes of the content that the caller has; sends what follows
};

// `seen`: whose entry it is, what the caller sees of the catalogue.
void loadSkill(const ToolCall &tool, const std::shared_ptr<const Catalogue> &seen,
               const CatalogueEntry &entry, const LoadRequest &request);

// Makes the test that keeps a copy of the skill on disk while this caller is served the skill.
SkillCopies::IsServed servedTo(const Call &call, const Skill &skill);

} // namespace skillhost
