// SPDX-License-Identifier: Apache-2.0
// Which files of a skill somebody means who names them in one of the ways that they are named to
// him: relative, absolute, by URI, with an anchor or a line, as a folder, or by a pattern.
#pragma once

#include "ground/result.hpp"
#include "skills/skill.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct DocumentChoice {
  std::vector<std::size_t> files; // indices into Skill::files
  bool folder = false;            // a folder or the whole skill was named: its files, to be listed
};

// `folder`: where a reader on this machine finds the files, so that absolute paths are names, too;
// empty for others. Nothing outside the skill is ever chosen. NotFound when it names nothing.
Result<DocumentChoice> chooseDocuments(const Skill &skill, std::string_view path,
                                       std::string_view folder);

} // namespace skillhost
