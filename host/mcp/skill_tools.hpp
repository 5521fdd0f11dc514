// SPDX-License-Identifier: Apache-2.0
// Makes skills tools of their own (expose: skills | both).
#pragma once

#include "mcp/settings.hpp"
#include "skills/catalogue.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

// Returns the tool's name: that of the skill, or its id with '.' for '/' if the skill is served
// under its id. A name that is longer than 48 characters, or contains what a tool's name must not,
// is cut and ends in a digest of the id. No two names are alike, and each is the same after every
// start. The names of the server's own tools have an underscore, which no bare name of a skill has.
std::string skillToolName(const CatalogueEntry &entry);
const CatalogueEntry *findSkillTool(const Catalogue &catalogue, std::string_view name);
// Returns the entry in tools/list, as JSON.
std::string describeSkillTool(const CatalogueEntry &entry);

struct Services;

// With more than either of these, the skills are no tools of their own, whatever `expose` says, and
// the tools that list, find and load them stand in. VS Code refuses a request with more than 128
// tools, Windsurf and Cursor have accepted 50 and 40 of all servers together, and 64 KiB are about
// 16,000 tokens of a context before the first question.
inline constexpr std::size_t maxSkillTools = 100;
inline constexpr std::size_t maxSkillToolBytes = 64U << 10U; // of their entries in tools/list

// Returns which tools stand for the skills of this catalogue: those that are configured, or Gateway
// if there are too many skills. It is computed once for each catalogue.
Expose exposedTools(Services &services, const std::shared_ptr<const Catalogue> &catalogue);
// Returns the way to a skill's files for a caller who sees that catalogue but has not the skill's
// folder.
Reach remoteReach(Services &services, const std::shared_ptr<const Catalogue> &catalogue);
// Returns why the catalogue has too many skills, in words for the log; empty if it has not.
std::string tooManySkillTools(const Catalogue &catalogue);

} // namespace skillhost
