// SPDX-License-Identifier: Apache-2.0
// The surroundings of a process: its environment, its working directory, its own file. A value, so
// that tests can make one.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace skillhost::app {

struct Surroundings {
  std::map<std::string, std::string> variables; // the environment
  std::string workingDirectory;                 // absolute
  std::string executable;                       // absolute path of the running program
  std::string commit;                           // of the program's source; empty if it is unknown
  std::vector<std::string> featureTools;        // names of the tools of its features
  // True if a named file may be a pipe or a device, which may block or never end. False if somebody
  // else's file names it.
  bool readsPipes = true;

  // Throws std::runtime_error if the working directory does not exist. Call it only at the start.
  static Surroundings ofThisProcess();
  // Empty if the variable is not set. An empty variable counts as not set, and so do HOME and
  // XDG_…_HOME if they are no absolute path.
  std::string variable(const std::string &name) const;
};

} // namespace skillhost::app
