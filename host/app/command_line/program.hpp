// SPDX-License-Identifier: Apache-2.0
// The command line of skillhost itself, and of the programs that it executes.
#pragma once

#include "commandline/description.hpp"

namespace skillhost::app {

// Settings come from the table of keys.
CommandDescription programDescription();

} // namespace skillhost::app
