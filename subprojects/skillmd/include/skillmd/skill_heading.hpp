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

// Returns the files that can be run, those with the fewest folders first, and at most twelve.
// `isExecutable` receives the index of a file.
std::vector<std::size_t> scriptsAmong(const std::vector<std::string> &files,
                                      const std::function<bool(std::size_t)> &isExecutable);

// Returns some lines and an empty one, at most about 6 KB. `text` follows the heading, so the
// heading gives full details only for facts that `text` lacks, and fewer if `text` is short. A name
// that is not a plain line of text is counted but not shown.
std::string skillHeading(const PlacedFiles &files, Reach reach,
                         const std::vector<DescribedScript> &scripts, std::string_view text);

} // namespace skillhost
