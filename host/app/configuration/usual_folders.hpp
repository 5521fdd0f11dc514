// SPDX-License-Identifier: Apache-2.0
// Finds the folders in which people usually keep skills. They are served if the configuration names
// no other source.
#pragma once

#include "app/configuration.hpp"
#include "app/surroundings.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// Returns the folders as people write them: "~/.claude/skills", "./skills", in order of precedence.
std::vector<std::string> usualFolderNames();

// Returns the names that their sources have unless another source has the name: "claude",
// "project".
std::vector<std::string> usualSourceNames();

struct UsualFolders {
  std::vector<SourceConfiguration> sources; // one for each folder that no other source serves
  std::vector<std::string> notServed;       // folders that are there, each with the reason
  bool areThere = false; // at least one exists, even if it is served by a source in `taken`
};

// Finds the usual folders that exist. Of several paths to one folder, only the first counts. A
// folder that a source in `taken` names is left out, even if that source is switched off. The new
// names differ from those in `taken`.
UsualFolders usualFolders(const Surroundings &surroundings,
                          const std::vector<SourceConfiguration> &taken);

} // namespace skillhost::app
