// SPDX-License-Identifier: Apache-2.0
// Writes the lines that an agent gets before the text of a skill: the place of its files, their
// names, and the commands that run its scripts.
#pragma once

#include "skillmd/placed_files.hpp"
#include "skillmd/script_description.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// The way in which the reader gets the files: in their folder, by the tool read_skill_document, or
// only as resources.
enum class Reach : std::uint8_t { Folder, Tool, Resource };

struct DescribedScript {
  std::size_t file; // index into PlacedFiles::paths
  ScriptDescription description;
};

// The files that are to be run, the ones least deep first; at most twelve. `isExecutable` is asked
// by the index of a file.
std::vector<std::size_t> scriptsAmong(const std::vector<std::string> &files,
                                      const std::function<bool(std::size_t)> &isExecutable);

// Some lines, then an empty one; at most some 6 KB. `text` is what follows it: the heading says in
// full only what that does not, and the shorter the text, the less. Names that are no plain line of
// text are counted and not said.
std::string skillHeading(const PlacedFiles &files, Reach reach,
                         const std::vector<DescribedScript> &scripts, std::string_view text);

} // namespace skillhost
