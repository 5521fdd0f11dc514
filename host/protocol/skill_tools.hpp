// SPDX-License-Identifier: Apache-2.0
// Skills as tools of their own (expose: skills | both).
#pragma once

#include "skills/catalogue.hpp"

#include <string>
#include <string_view>

namespace skillhost {

// The tool's name: that of the skill, with '.' for the '/' of a qualified one, and "skill." before
// the name of one of our own tools.
std::string skillToolName(const CatalogueEntry &entry);
const CatalogueEntry *findSkillTool(const Catalogue &catalogue, std::string_view name);
// The entry in tools/list, as JSON.
std::string describeSkillTool(const CatalogueEntry &entry);

} // namespace skillhost
