// SPDX-License-Identifier: Apache-2.0
// Commands that are programs of their own, as git has them, and where they and the files that
// describe them are.
#pragma once

#include "app/command_line.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// Where skillhost-NAME may be, in the order of looking, for the program `executable`: installed
// in <prefix>/<libexecdir>/skillhost, or built beside it.
std::vector<std::string> programPlaces(const std::string &executable, const std::string &name);

// The folders with files that describe commands, in the order of looking: those of our own
// programs, installed in <prefix>/<datadir>/skillhost/commands or built beside them, then
// skillhost/commands in $XDG_DATA_HOME or ~/.local/share for programs of others.
std::vector<std::string> commandFolders(const Surroundings &surroundings);

// The file that a command of somebody else's starts: skillhost-NAME in a folder of PATH. Relative
// folders of PATH are passed over, since any working directory may hold such a file. Empty: none.
std::string programOnPath(const Surroundings &surroundings, const std::string &name);

// Executes it in the place of this process. Returns only when there is none, or the kernel
// refuses: it has said so then, and this is the exit code.
int runProgram(const ProgramInvocation &program, const std::string &executable);

} // namespace skillhost::app
