// SPDX-License-Identifier: Apache-2.0
// Sends a skill to a server as a proposal, and lists proposals.
#pragma once

#include "ground/json.hpp"
#include "propose_command.hpp"

#include <string>
#include <utility>
#include <vector>

namespace skillhost {

// The arguments of the tool propose_skill for a folder.
struct FolderToPropose {
  Json arguments; // name, files, and the note unless it is empty
  // Files that no server would serve, with the reason. They are not sent.
  std::vector<std::pair<std::string, std::string>> leftOut;
};

// Throws std::runtime_error with the path if the folder has no SKILL.md, a link, or too much.
FolderToPropose readFolderToPropose(const std::string &folder, const std::string &note);

// Asks the server and prints its answer. Returns the exit code: 1 if the server refuses. Throws
// std::runtime_error if it cannot be asked.
int proposeSkill(const ProposeSettings &settings);

} // namespace skillhost
