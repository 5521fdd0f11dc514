// SPDX-License-Identifier: Apache-2.0
// What a process is born into: its environment, its folder, its own file. A value, so that tests
// can make one up.
#pragma once

#include "settings/environment.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

struct Surroundings : Environment {
  std::string executable;                // absolute path of the running program
  std::string commit;                    // that the program was built from; empty: not known
  std::vector<std::string> featureTools; // names of the tools that features of it bring

  // Throws std::runtime_error when the working directory is gone. Start only.
  static Surroundings ofThisProcess();
};

} // namespace skillhost::app
