// SPDX-License-Identifier: Apache-2.0
// Removes files that do not belong to the skill in whose folder they were found.
#pragma once

#include "folder.hpp"
#include "warnings.hpp"

#include <memory>
#include <vector>

namespace skillhost::filesystem {

// Removes files that symbolic links bring into a skill from elsewhere, because a client that may
// see one skill need not be allowed to see the other. Allowed are links to files and folders of the
// skill itself, and a link to the folder of a whole skill. A skill without its entry (SKILL.md) is
// dropped. A hard link counts as the file. Warns once for each link.
void dropForeignFiles(const std::vector<std::unique_ptr<Folder>> &folders, Warnings &warnings);

} // namespace skillhost::filesystem
