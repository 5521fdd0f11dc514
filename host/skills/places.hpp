// SPDX-License-Identifier: Apache-2.0
// Decides which skill gets a name or a URI that several skills want.
#pragma once

#include "skills/catalogue.hpp"

#include <string_view>
#include <vector>

namespace skillhost {

// The folder above the skill in which projects keep what is built, copied or only tried, such as
// `dist` or `tests`; empty if there is none.
std::string_view sideFolderOf(const Skill &skill) noexcept;

// True if `a` comes before `b` of the same list: the entry that has been there longer wins; then
// the one of the earlier source; within a source the one in no side folder; then the one whose
// folder has the name; then the one whose author wrote the tool name itself, before one whose name
// was only turned into it; then the one in fewer folders, and the first by its path.
bool claimsBefore(const CatalogueEntry &a, const CatalogueEntry &b) noexcept;

// Gives every entry its bare name if no other one claims it before, and by the strict rule if no
// other one claims it at all. Otherwise the entry gets its id, or no name if it may only be served
// under its own. An entry whose URI belongs to another is not listed. `findings` say who lost what
// to whom.
void assignNames(std::vector<CatalogueEntry> &entries, NameRule rule,
                 std::vector<Finding> &findings);

} // namespace skillhost
