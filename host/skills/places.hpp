// SPDX-License-Identifier: Apache-2.0
// Decides which skill gets a name or a URI that several skills claim. A skill claims two: its URI,
// and the tool name that its author gave it (SkillFields::toolName), here called its bare name. A
// skill that does not get its bare name is served under its id, `<source>/<path>`.
#pragma once

#include "skills/catalogue.hpp"

#include <string_view>
#include <vector>

namespace skillhost {

// Returns the name of a folder above the skill in which projects keep files that are built, copied
// or used only by tests, such as `dist` or `tests`; empty if there is no such folder.
std::string_view sideFolderOf(const Skill &skill) noexcept;

// Returns true if `a` wins a name or URI that `a` and `b` claim. Both are entries of one catalogue.
// The first of these rules that distinguishes them decides:
// 1. The entry that has had its name for longer wins (CatalogueEntry::since).
// 2. The entry of the earlier source wins. The other rules compare entries of one source.
// 3. An entry outside all side folders wins, see sideFolderOf().
// 4. An entry whose folder has the name wins.
// 5. An entry whose author wrote exactly the bare name wins over one whose written name was
//    converted into it: "pdf" wins over "PDF!".
// 6. The entry with fewer folders above it wins.
// 7. The entry whose path sorts first wins.
bool claimsBefore(const CatalogueEntry &a, const CatalogueEntry &b) noexcept;

// Sets the name of every entry. An entry gets its bare name if it wins over all others that claim
// the name; by NameRule::Strict, it gets it only if no other entry claims the name. Otherwise its
// name becomes its id, or stays empty if the skill may not be served under another name
// (SkillFields::mustKeepName). An entry whose URI another entry wins is not listed. Adds a finding
// for each entry that lost its name or URI, which names the winner.
void assignNames(std::vector<CatalogueEntry> &entries, NameRule rule,
                 std::vector<Finding> &findings);

} // namespace skillhost
