// SPDX-License-Identifier: Apache-2.0
// Finds the command among the arguments without parsing what belongs to it: its program does that.
#pragma once

#include "commandline/description_file.hpp"
#include "commandline/separate_program.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skillhost::app {

// The place of the first word at or after `from` that is neither an option of the program nor the
// value of one; the number of arguments if there is none before "--".
std::size_t nextWord(const CommandDescription &program, std::span<const std::string> arguments,
                     std::size_t from);

// A command that is a program of its own.
struct SeparateCommand {
  CommandWords words;
  std::vector<std::size_t> places; // of these words among the arguments
  CommandDescription description;  // without a name: no file describes it
};

// Finds the command whose first word stands at `first`, by the files in these folders. Nothing if
// no program can carry it out. A file that cannot be read becomes a warning, as if it were not
// there.
std::optional<SeparateCommand> findCommand(const CommandDescription &program,
                                           std::span<const std::string> arguments,
                                           std::size_t first,
                                           std::span<const CommandFolder> folders,
                                           std::vector<std::string> &warnings);

// Says how to execute the program of the command, and with which arguments: a program of ours that
// takes options of the server gets all of them as they were given, another one of ours the words of
// the command and what follows these, a program of somebody else's only what follows. --help before
// the command comes right behind its words. Returns nothing in two cases: no file describes the
// command and `path` has no program of its name; or --version stands before it, or another option
// of those that skillhost answers itself. Fails if the command is described but its program is
// missing, or if options of the server stand before it that it does not take.
Result<std::optional<ProgramInvocation>> handOver(const CommandDescription &program,
                                                  std::span<const std::string> arguments,
                                                  const SeparateCommand &command,
                                                  const std::string &path);

// Says what is missing behind a group of commands that was named alone: "say what to do, such as
// skill list".
std::string hintForGroup(const CommandDescription &program,
                         const std::vector<std::string> &commands);

// Adds the commands that files in these folders describe. A file for a command of the program
// itself becomes a problem.
CommandDescription withDescribedCommands(CommandDescription program,
                                         std::span<const CommandFolder> folders,
                                         std::vector<std::string> &problems);

} // namespace skillhost::app
