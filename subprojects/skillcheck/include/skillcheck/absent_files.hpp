// SPDX-License-Identifier: Apache-2.0
// Files that a document of a skill names and that are not there, or not in the skill.
#pragma once

#include "skillmd/finding.hpp"
#include "skillmd/written_path.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Text and code of a SKILL.md speak of the skill; those of other documents often of the reader's
// project, so only their links are looked at.
enum class Naming : std::uint8_t { Anywhere, LinksAlone };

// Where a path that a document names leads, relative to the document or to the skill.
struct NamedPlace {
  bool exists = false;
  bool outside = false;      // of the skill's folder, whether it exists or not
  std::string inOtherCase{}; // a file there whose name differs in the case of letters alone
};

// Returns a warning for each path, at its first place, that names no file of the skill. Paths are
// the targets of links, and in text and code what begins with a folder of the skill or a usual one
// (scripts, references, assets) and ends as a file does. A path out of the skill gets a warning
// too, since it is not served with the skill: one that a link or the text names, one that exists,
// one of
// ~/.claude/skills/OTHER/x, and in fenced code one that goes through a usual folder. `look` is
// asked about each path, which may begin with `..`. Placeholders, and examples that stand in code
// as links, are passed over.
std::vector<Finding> findAbsentFiles(std::string_view document, std::string_view file,
                                     Naming naming, SkillNames names,
                                     const std::function<NamedPlace(const std::string &)> &look);

} // namespace skillhost
