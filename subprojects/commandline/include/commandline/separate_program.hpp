// SPDX-License-Identifier: Apache-2.0
// Commands that are programs of their own, as git has them, and where they and the files that
// describe them are.
#pragma once

#include "commandline/description_file.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// Where to look for programs of commands and for the files that describe commands.
struct SearchRoots {
  std::string executable; // absolute path of skillhost
  std::string path;       // PATH
  std::string dataHome;   // $XDG_DATA_HOME or ~/.local/share; empty: neither is known
};

// For a command that is a program of its own.
struct ProgramInvocation {
  std::string name;                   // of the program: skillhost-NAME
  std::string command;                // that it carries out, for messages
  std::vector<std::string> arguments; // see handOver() in find_command.hpp
  std::string file;                   // of a program of somebody else's; empty: it is ours
};

// The paths at which skillhost-NAME may be, in the order of looking, for the program `executable`:
// installed in <prefix>/<libexecdir>/skillhost, or built in the folder `builtIn` of the same build
// folder. There is at least one. Looks at no file.
std::vector<std::string> programPlaces(const std::string &executable, const std::string &name,
                                       const std::string &builtIn);

// Returns the folders with files that describe commands, in the order of looking: those of our own
// programs, installed in <prefix>/<datadir>/skillhost/commands or built beside them, then
// skillhost/commands in the data folder of the user, for programs of others. Where both are the
// same folder, because skillhost is installed in the home of the user, it is there once, as ours.
std::vector<CommandFolder> commandFolders(const SearchRoots &roots);

// Finds the file that a command of somebody else's starts: skillhost-NAME in a folder of `path`.
// Relative folders are passed over, since any working directory may hold such a file. Empty: none.
std::string programOnPath(const std::string &path, const std::string &name);

// Executes the program in the place of this process, which must have no other threads. The signal
// that prepareProcess() ignores has its default again. Returns only if the program is missing or
// the kernel refuses it: standard error has said so then, and the result is the exit code.
int runProgram(const ProgramInvocation &program, const std::string &executable);

} // namespace skillhost::app
