// SPDX-License-Identifier: Apache-2.0
// Who has a name or a URI that several skills want.
#pragma once

#include "skills/catalogue.hpp"

#include <string_view>
#include <vector>

namespace skillhost {

// The folder above the skill in which projects keep what is built, copied or only tried, such as
// `dist` or `tests`; empty if there is none.
std::string_view sideFolderOf(const Skill &skill) noexcept;

// Of two entries of one list: who has been there for longer; then the one of the earlier source;
// within a source the one that lies in no side folder; then the one whose folder has the name; then
// the one whose own name it is, and not what another one comes to; then the one in fewer folders,
// and the first by its path.
bool claimsBefore(const CatalogueEntry &a, const CatalogueEntry &b) noexcept;

// Gives every entry the bare name when nobody claims it before, and by the strict rule nobody else
// at all, else its id, or no name where it may only be served under its own; one whose URI is
// another's is not listed. Says in `findings` who has lost what to whom.
void givePlaces(std::vector<CatalogueEntry> &entries, NameRule rule,
                std::vector<Finding> &findings);

} // namespace skillhost
