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

// Both names under which a text may mention its skill; either may be empty.
struct SkillNames {
  std::string_view folder, name;
};

struct FolderPrefix {
  // Plugin: the folder of the plugin, in which the skill lies. Home: the user's.
  enum class Of : std::uint8_t { Nothing, Skill, Plugin, Home };
  Of of = Of::Nothing;
  std::size_t length = 0; // of the text, with the slashes behind it
};

// A placeholder or variable at the start of the text that stands for a folder, and a slash.
FolderPrefix folderPrefixOf(std::string_view text);

// The paths below the skill's folder that `path`, which stood behind such a prefix, may mean, the
// likeliest first. Backslashes are taken for slashes.
std::vector<std::string> pathsBelowSkill(std::string_view path, FolderPrefix::Of of,
                                         SkillNames names);

} // namespace skillhost
