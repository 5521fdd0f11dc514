// SPDX-License-Identifier: Apache-2.0
// Skills as tools of their own (expose: skills | both).
#pragma once

#include "mcp/settings.hpp"
#include "skills/catalogue.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

// The tool's name: that of the skill; of one that goes by its path the path with '.' for '/'. Where
// that is longer than 48 characters, or holds what a tool's name must not, it is cut and a digest
// of the path ends it: no two are alike, and each is the same after every start. Ours have an
// underscore each, which no skill's bare name has.
std::string skillToolName(const CatalogueEntry &entry);
const CatalogueEntry *findSkillTool(const Catalogue &catalogue, std::string_view name);
// The entry in tools/list, as JSON.
std::string describeSkillTool(const CatalogueEntry &entry);

struct Services;

// Beyond either of these the skills are not tools of their own, whatever `expose` says, and the
// tools that list, find and load them stand in: VS Code refuses a request with more than 128 tools,
// Windsurf and Cursor have taken 50 and 40 of all servers together, and 64 KiB are some 16,000
// tokens of a context before the first question.
inline constexpr std::size_t mostSkillTools = 100;
inline constexpr std::size_t mostSkillToolBytes = 64U << 10U; // of their entries in tools/list

// Which tools stand for the skills of this catalogue: what is configured, or Gateway when there are
// too many. Found out once for each catalogue.
Expose exposed(Services &services, const std::shared_ptr<const Catalogue> &catalogue);
// How a caller who sees that catalogue gets at the files of a skill whose folder he has not.
Reach remoteReach(Services &services, const std::shared_ptr<const Catalogue> &catalogue);
// Why the skills of the catalogue are too many, in words for the log; empty when they are not.
std::string tooManySkillTools(const Catalogue &catalogue);

} // namespace skillhost
