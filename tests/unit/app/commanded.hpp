// SPDX-License-Identifier: Apache-2.0
// A made-up machine on which skillhost is started.
#pragma once

#include "app/command_line.hpp"
#include "made_up.hpp"

#include <string>
#include <vector>

namespace made_up {

struct CommandedMachine : Machine {
  Result<Invocation> run(const std::vector<std::string> &arguments) const {
    return parseCommandLine(arguments, surroundings);
  }
};

} // namespace made_up
