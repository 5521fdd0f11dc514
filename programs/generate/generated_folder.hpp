// SPDX-License-Identifier: Apache-2.0
// The folder of a generated skill.
#pragma once

#include "generate/skill_pages.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

enum class Overwrite : std::uint8_t { OnlyGenerated, Anything };
enum class FolderChange : std::uint8_t { None, Made, Replaced };

// Puts the pages at `path`, absolute. A folder that holds exactly them is not touched. One that was
// generated, and not changed since, is replaced in one step; any other that is not empty is
// refused, or, for Anything, written into, where files of other names stay. Throws
// std::runtime_error, which names the folder.
FolderChange writeGeneratedFolder(const std::string &path, const std::vector<SkillPage> &pages,
                                  Overwrite overwrite);

} // namespace skillhost
