// SPDX-License-Identifier: Apache-2.0
// The surroundings of a process: its environment, its working directory, its own file. A value, so
// that tests can make one.
#pragma once

#include "settings/environment.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

struct Surroundings : settings::Environment {
  std::string executable;                // absolute path of the running program
  std::string commit;                    // commit that the program was built from; empty if unknown
  std::vector<std::string> featureTools; // names of the tools that features of this build add

  // Throws std::runtime_error if the working directory does not exist. Call it only at the start.
  static Surroundings ofThisProcess();
};

} // namespace skillhost::app
