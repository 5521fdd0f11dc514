// SPDX-License-Identifier: Apache-2.0
// The options of the server, and the commands that skillhost itself executes.
#pragma once

#include "commandline/description.hpp"

#include <vector>

namespace skillhost::app {

// Describes skillhost with its own commands only, `serve` and `completion`. The others are
// programs, which files describe. Settings come from the table of keys.
CommandDescription programDescription();

// Describes skillhost with the options of the server and these commands, for a program that has
// both.
CommandDescription serverWith(std::vector<CommandDescription> commands);

// Describes --config.
ArgumentDescription configurationOption();

} // namespace skillhost::app
