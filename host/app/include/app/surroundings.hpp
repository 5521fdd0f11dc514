// SPDX-License-Identifier: Apache-2.0
// What a process is born into: its environment, its folder, its own file. A value, so that tests
// can make one up.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace skillhost::app {

struct Surroundings {
  std::map<std::string, std::string> variables; // the environment
  std::string workingDirectory;                 // absolute
  std::string executable;                       // absolute path of the running program
  std::string commit;                           // that the program was built from; empty: not known
  std::vector<std::string> featureTools;        // names of the tools that features of it bring
  // Whether what is named may be a pipe or a device, which nobody may ever write to or which never
  // ends. Not when a file of somebody else's names it.
  bool readsPipes = true;

  // Throws std::runtime_error when the working directory is gone. Start only.
  static Surroundings ofThisProcess();
  // Empty when unset: an empty variable counts as none, and so do HOME and XDG_…_HOME that are no
  // absolute path.
  std::string variable(const std::string &name) const;
};

} // namespace skillhost::app
