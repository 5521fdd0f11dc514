// SPDX-License-Identifier: Apache-2.0
// Files that a document of a skill names and that are not there.
#pragma once

#include "skills/finding.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Text and code of a SKILL.md speak of the skill; those of other documents often of the reader's
// project, so only their links are looked at.
enum class Naming : std::uint8_t { Anywhere, LinksAlone };

// A warning for each path, at its first place: the targets of links, and in text and code what
// begins with a folder of the skill or a usual one (scripts, references, assets) and ends as a file
// does. `has`: whether there is a file or folder of that path, relative to the document or to the
// skill; it may begin with `..`. Placeholders, and examples that stand in code as links, are passed
// over.
std::vector<Finding> findAbsentFiles(std::string_view document, std::string_view file,
                                     Naming naming,
                                     const std::function<bool(const std::string &)> &has);

} // namespace skillhost
