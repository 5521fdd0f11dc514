// SPDX-License-Identifier: Apache-2.0
// Decides which of the skills that a server lists can be served, and under which id.
#pragma once

#include "settings.hpp"
#include "snapshot.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace skillhost::mcp_source {

struct Entries {
  std::vector<StoredSkill> skills;   // with unique ids, not fetched yet
  std::vector<std::string> findings; // skills that are left out, with the reason; limited in number
};

// Reads entries of skills/list. A skill is left out if it was read from this server before and is
// back through another one. It is also left out if its URI is none of skill://, or if it has no
// SKILL.md, breaks the limits, or has a path that no document may have. A file of a skill that is
// nested in another one belongs to the inner skill, also if that is left out.
Entries readEntries(const std::vector<Json> &listed, const Settings &settings);

} // namespace skillhost::mcp_source
