// SPDX-License-Identifier: Apache-2.0
// Commands that are programs of their own, as git has them: `skillhost NAME …` is
// `skillhost-NAME …`.
#pragma once

#include "app/command_line.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// Where skillhost-NAME may be, in the order of looking, for the program `executable`: installed
// in <prefix>/<libexecdir>/skillhost, or built beside it.
std::vector<std::string> programPlaces(const std::string &executable, const std::string &name);

// Executes it in the place of this process. Returns only when there is none, or the kernel
// refuses: it has said so then, and this is the exit code.
int runProgram(const ProgramInvocation &program, const std::string &executable);

} // namespace skillhost::app
