// SPDX-License-Identifier: Apache-2.0
// The pages of an Agent Skill that documents an MCP server.
#pragma once

#include "generate/server_description.hpp"
#include "ground/result.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct SkillPage {
  std::string path; // relative to the skill; safe on every file system
  std::string bytes;
};

// SKILL.md, references/tools/<name>.md for each tool, references/types.ts, and
// references/resources.md and prompts.md where there are any; sorted by path. The same description
// makes the same bytes: members of schemas are sorted, nothing tells a time. All that is the
// server's own stands in quotes and is cut to bounds; the description has no words of it, and no
// page but SKILL.md can be taken for a skill. Fails, saying why, when the server offers
// nothing, or more than a skill can hold (512 files, 16 MiB). `name` is a valid name of a skill.
Result<std::vector<SkillPage>> writeSkillPages(const std::string &name,
                                               const ServerDescription &server);

// Whether pages are exactly what writeSkillPages() has made, of whichever server: SKILL.md holds a
// digest of them all. It tells who has changed a file by hand, not who wants to deceive.
bool areGenerated(const std::vector<SkillPage> &pages);

} // namespace skillhost
