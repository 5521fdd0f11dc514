// SPDX-License-Identifier: Apache-2.0
// Finds the language models that `skillhost model fetch` or a package has put on this machine.
#pragma once

#include <string>
#include <vector>

namespace skillhost::embedding {

struct Installation {
  std::string dataHome;   // $XDG_DATA_HOME; ignored if it is no absolute path
  std::string home;       // $HOME; the same
  std::string executable; // absolute path of a program of skillhost; empty: unknown
};

// Returns the variables of this process and the path of its program.
Installation installationOfThisProcess();

// Returns the folder into which `skillhost model fetch` puts models: skillhost/models in
// $XDG_DATA_HOME or ~/.local/share. Empty without either.
std::string ownModels(const Installation &installation);

// Returns the folders that may contain models, in the order in which they are searched: the user's
// own, that beside the program, those of a package of npm, and those of the machine. None needs to
// exist.
std::vector<std::string> modelPlaces(const Installation &installation);

struct InstalledModels {
  std::vector<std::string> folders;  // of the first place, sorted, then of the next one
  std::vector<std::string> problems; // places that exist and cannot be read, each with the reason
};
// Returns the folders of models in these places. The first is the one to use, even if it is
// damaged. A folder whose name begins with a dot is still being fetched, so it is left out.
InstalledModels installedModels(const std::vector<std::string> &places);

} // namespace skillhost::embedding
