// SPDX-License-Identifier: Apache-2.0
// The folders from which agents read skills.
#pragma once

#include "ground/result.hpp"
#include "settings/environment.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::sync {

// "a|b|c" is how the command line describes choices; "agents" is the folder that many agents share.
inline constexpr std::string_view agentChoices =
    "claude-code|codex|cursor|copilot|gemini-cli|opencode|goose|agents";

struct AgentFolders {
  std::string_view name; // on the command line
  // The folder of a user's skills: below the folder that `variable` names, if it is set, or else
  // below `userBase` in the home folder.
  std::string_view variable, userBase, userFolder;
  std::string_view projectFolder; // in the folder of a project
};

// In the order of agentChoices.
std::span<const AgentFolders> agentFolders();

// A folder to fill, and its readers.
struct TargetFolder {
  std::string path; // absolute, without links
  std::vector<std::string> agents;
  std::string shown; // as it was named, if a link has led to `path`; else empty
};

// Returns the folders of the named agents, each once, in order. With `ofProject` these are the
// folders in the working directory. Fails if a folder of a project leads out of the working
// directory through a link, because its author could direct writes to any place, and if HOME is
// needed but not set. Creates nothing.
Result<std::vector<TargetFolder>> targetFolders(const std::vector<std::string> &agents,
                                                bool ofProject,
                                                const settings::Environment &surroundings);
// Does the same for one folder that the user names; the target's `agents` are empty.
Result<TargetFolder> targetFolder(const std::string &path);

} // namespace skillhost::sync
