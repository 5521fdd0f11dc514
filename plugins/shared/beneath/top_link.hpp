// SPDX-License-Identifier: Apache-2.0
// Handles links at the top of a folder of skills that lead out of it. Installers put each skill
// into one place and link it into the folder of every agent.
#pragma once

#include "beneath/beneath.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::beneath {

struct TopLink {
  std::string target;                  // absolute; without links if it exists
  std::uint64_t device = 0, inode = 0; // of the target
  std::string refusal;                 // reason why the link is not followed; empty: it is followed
};

// Returns the folders into which links may lead if no setting names any: the one where installers
// such as `npx skills` keep skills for all agents. `home` is absolute; "" and "/" give none,
// because a home that is the root does not identify its owner.
std::vector<std::string> usualLinkTargets(const std::string &home);

// Judges the link `name` directly in `folder`. It is followed if it leads to the folder of a skill
// that lies below one of `allowed` (absolute paths), belongs to the owner of the link, and cannot
// be written by other users. Then nobody else decides what is served.
TopLink checkTopLink(const Root &folder, const std::string &name,
                     const std::vector<std::string> &allowed);

// Opens the target of a judged link, as a start for paths below it. Fails with ESTALE if another
// folder is there now or others may write to it.
Opened openTarget(const TopLink &link);

// True if `path`, absolute and without links, is the folder or lies in it. The folder need not
// exist.
bool liesIn(std::string_view path, const std::string &folder);

// Returns the relative path in a regular file that git has written in place of a symbolic link,
// because core.symlinks is false. Empty if the file holds anything else or is missing.
std::string linkTextIn(const std::string &path);

} // namespace skillhost::beneath
