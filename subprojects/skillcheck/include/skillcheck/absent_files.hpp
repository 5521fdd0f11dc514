// SPDX-License-Identifier: Apache-2.0
// Finds files that a skill's document names and that are missing or outside the skill.
#pragma once

#include "skillmd/finding.hpp"
#include "skillmd/written_path.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// The text and code of a SKILL.md refer to the skill. Those of other documents often refer to the
// reader's project, so only their links are checked.
enum class Naming : std::uint8_t { Anywhere, LinksAlone };

// The target of a path in a document, relative to the document or to the skill.
struct NamedPlace {
  bool exists = false;
  bool outside = false;      // outside the skill's folder, whether it exists or not
  std::string inOtherCase{}; // an existing file whose name differs only in case
};

// Returns a warning for each path, at its first place, that names no file of the skill. Paths are
// the targets of links, and in text and code everything that begins with a folder of the skill or a
// usual one (scripts, references, assets) and ends like a file. A path out of the skill gets a
// warning, too, because it is not served with the skill: if a link or the text names it, if it
// exists, if it is ~/.claude/skills/OTHER/x, or if it is in fenced code and goes through a usual
// folder. `look` is called for each path, which may begin with `..`. Placeholders, and links that
// are examples in code, are ignored.
std::vector<Finding> findAbsentFiles(std::string_view document, std::string_view file,
                                     Naming naming, SkillNames names,
                                     const std::function<NamedPlace(const std::string &)> &look);

} // namespace skillhost
