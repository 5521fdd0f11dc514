// SPDX-License-Identifier: Apache-2.0
// Files that do not lie in the skill in whose folder they were found.
#pragma once

#include "folder.hpp"
#include "warnings.hpp"

#include <memory>
#include <vector>

namespace skillhost::filesystem {

// Takes out what symbolic links bring into a skill from elsewhere, be it from another skill or from
// none: who may see the one need not be allowed to see the other. What stays is a link to a file or
// folder of the skill itself, and the folder of a whole skill that is a link. Without its entry
// (SKILL.md) there is no skill. A hard link is the file. Warns once of each link.
void dropForeignFiles(const std::vector<std::unique_ptr<Folder>> &folders, Warnings &warnings);

} // namespace skillhost::filesystem
