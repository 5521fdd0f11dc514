// SPDX-License-Identifier: Apache-2.0
// What an agent is told before the text of a skill: where its files are, which ones there are, and
// how its scripts are run.
#pragma once

#include "skillmd/script_description.hpp"
#include "skills/skill.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// How the reader gets at the files: in their folder, by the tool read_skill_document, or as
// resources alone.
enum class Reach : std::uint8_t { Folder, Tool, Resource };

struct DescribedScript {
  std::size_t file; // index into Skill::files
  ScriptDescription description;
};

// The files of the skill that are to be run, the ones least deep first; at most twelve.
std::vector<std::size_t> scriptsOf(const Skill &skill);

// Some lines, then an empty one; at most some 6 KB. `text` is what follows it: the heading says in
// full only what that does not, and the shorter the text, the less. Names that are no plain line of
// text are counted and not said.
std::string skillHeading(const Skill &skill, Reach reach,
                         const std::vector<DescribedScript> &scripts, std::string_view text);

} // namespace skillhost
