// SPDX-License-Identifier: Apache-2.0
// Files that belong to another skill than the one whose folder they were found in.
#pragma once

#include "folder.hpp"
#include "warnings.hpp"

#include <memory>
#include <vector>

namespace skillhost::filesystem {

// Takes out what symbolic links bring into a skill from the folder of another one: who may see the
// one need not be allowed to see the other. A link to what is in no skill, or to the skill's own,
// stays; an entry (SKILL.md) may lead to another skill's entry, which says what both are. Warns
// once of each link.
void dropForeignFiles(const std::vector<std::unique_ptr<Folder>> &folders, Warnings &warnings);

} // namespace skillhost::filesystem
