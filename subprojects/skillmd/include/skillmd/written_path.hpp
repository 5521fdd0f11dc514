// SPDX-License-Identifier: Apache-2.0
// The ways in which authors write the folder of their skill before a path: {baseDir}/…,
// $SKILL_DIR/…, <SKILL_DIR>/…, ~/.claude/skills/NAME/…, ${CLAUDE_PLUGIN_ROOT}/skills/NAME/…
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// The two names by which a text may mention its skill; either may be empty.
struct SkillNames {
  std::string_view folder, name;
};

struct FolderPrefix {
  // Plugin: the folder of the plugin that contains the skill. Home: the user's folder.
  enum class Of : std::uint8_t { Nothing, Skill, Plugin, Home };
  Of of = Of::Nothing;
  std::size_t length = 0; // length in the text, with the slashes behind it
};

// Reads a placeholder or variable for a folder, and a slash, at the start of the text.
FolderPrefix folderPrefixOf(std::string_view text);

// Returns the paths below the skill's folder that `path`, which followed such a prefix, may mean,
// the most likely first. Backslashes count as slashes.
std::vector<std::string> pathsBelowSkill(std::string_view path, FolderPrefix::Of of,
                                         SkillNames names);

} // namespace skillhost
