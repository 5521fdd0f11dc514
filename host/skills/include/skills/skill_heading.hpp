// SPDX-License-Identifier: Apache-2.0
// Writes the lines that an agent gets before the text of a skill: the place of its files, their
// names, and the commands that run its scripts.
#pragma once

#include "skillmd/script_description.hpp"
#include "skills/skill.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// The way in which the reader gets the files: in their folder, by the tool read_skill_document, or
// only as resources.
enum class Reach : std::uint8_t { Folder, Tool, Resource };

struct DescribedScript {
  std::size_t file; // index into Skill::files
  ScriptDescription description;
};

// Returns the files of the skill that are to be run, the least deep ones first; at most twelve.
std::vector<std::size_t> scriptsOf(const Skill &skill);

// Returns some lines, then an empty one; at most about 6 KB. `text` follows the heading: the
// heading gives in full only what the text does not, and less if the text is short. Names that are
// no plain line of text are only counted.
std::string skillHeading(const Skill &skill, Reach reach,
                         const std::vector<DescribedScript> &scripts, std::string_view text);

} // namespace skillhost
