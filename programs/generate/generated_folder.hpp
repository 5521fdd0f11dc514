// SPDX-License-Identifier: Apache-2.0
// Writes the folder of a generated skill.
#pragma once

#include "generate/skill_pages.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

enum class Overwrite : std::uint8_t { OnlyGenerated, Anything };
enum class FolderChange : std::uint8_t { None, Made, Replaced };

// Writes the pages to `path`, which is absolute. A folder that holds exactly these pages is not
// touched. A generated folder that nobody has changed is replaced in one step. Any other folder
// that is not empty is refused, or with Anything written into, where files with other names stay.
// Throws std::runtime_error with the name of the folder.
FolderChange writeGeneratedFolder(const std::string &path, const std::vector<SkillPage> &pages,
                                  Overwrite overwrite);

} // namespace skillhost
