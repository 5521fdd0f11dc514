// SPDX-License-Identifier: Apache-2.0
// Makes the pages of an Agent Skill that documents an MCP server.
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

// Returns SKILL.md, references/tools/<name>.md for each tool, references/types.ts, and
// references/resources.md and prompts.md if there are any, sorted by path. The same description
// makes the same bytes: members of schemas are sorted, and no page contains a time. All texts of
// the server are quoted and limited; the skill's description contains none of them, and no page
// except SKILL.md can be taken for a skill. Fails with the reason if the server offers nothing, or
// more than a skill can hold (512 files, 16 MiB). `name` must be a valid name of a skill.
Result<std::vector<SkillPage>> writeSkillPages(const std::string &name,
                                               const ServerDescription &server);

// Returns true if the pages are exactly an output of writeSkillPages(), for any server: SKILL.md
// contains a digest of them all. This detects edits by hand, but no deception.
bool areGenerated(const std::vector<SkillPage> &pages);

} // namespace skillhost
