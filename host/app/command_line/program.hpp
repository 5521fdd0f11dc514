// SPDX-License-Identifier: Apache-2.0
// The options of the server, and the commands that skillhost itself carries out.
#pragma once

#include "commandline/description.hpp"

#include <vector>

namespace skillhost::app {

// skillhost with its own commands alone, `serve` and `completion`. The others are programs, which
// files describe. Settings come from the table of keys.
CommandDescription programDescription();

// skillhost with the options of the server and these commands, for a program that takes both.
CommandDescription serverWith(std::vector<CommandDescription> commands);

// --config.
ArgumentDescription configurationOption();

} // namespace skillhost::app
