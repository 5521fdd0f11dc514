// SPDX-License-Identifier: Apache-2.0
// Commands with their own programs, as in git, and the places of these programs and of their
// descriptions.
#pragma once

#include "commandline/description_file.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// The places to search for programs of commands and for their descriptions.
struct SearchRoots {
  std::string executable; // absolute path of skillhost
  std::string path;       // PATH
  std::string dataHome;   // $XDG_DATA_HOME or ~/.local/share; empty: neither is known
};

// The call of a command's own program.
struct ProgramInvocation {
  std::string name;                   // the program is skillhost-NAME
  std::string command;                // the command's name, for messages
  std::vector<std::string> arguments; // see handOver() in find_command.hpp
  std::string file;                   // another author's program; empty: ours
};

// Returns the possible paths of skillhost-NAME for the program `executable`, in the order of the
// search: installed in <prefix>/<libexecdir>/skillhost, or built in the folder `builtIn` of the
// same build folder. There is at least one. Does not look at any file.
std::vector<std::string> programPlaces(const std::string &executable, const std::string &name,
                                       const std::string &builtIn);

// Returns the folders with descriptions of commands, in the order of the search: those of our own
// programs, installed in <prefix>/<datadir>/skillhost/commands or built beside them, then
// skillhost/commands in the user's data folder, for other authors' programs. If both are the same
// folder, because skillhost is installed in the user's home, it is listed once, as ours.
std::vector<CommandFolder> commandFolders(const SearchRoots &roots);

// Returns the file of another author's command: skillhost-NAME in a folder of `path`. Ignores
// relative folders, because any working directory may contain such a file. Empty: none.
std::string programOnPath(const std::string &path, const std::string &name);

// Replaces this process, which must have no other threads, by the program. The signal that
// prepareProcess() ignores gets its default again. Returns only if the program is missing or the
// kernel refuses it: standard error then says so, and the result is the exit code.
int runProgram(const ProgramInvocation &program, const std::string &executable);

} // namespace skillhost::app
