// SPDX-License-Identifier: Apache-2.0
// Finds the command among the arguments without parsing its own arguments: its program does that.
#pragma once

#include "commandline/description_file.hpp"
#include "commandline/separate_program.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skillhost::app {

// Returns the index of the first word at or after `from` that is neither an option of the program
// nor the value of one; the number of arguments if there is none before "--".
std::size_t nextWord(const CommandDescription &program, std::span<const std::string> arguments,
                     std::size_t from);

// A command with its own program.
struct SeparateCommand {
  CommandWords words;
  std::vector<std::size_t> places; // indexes of these words in the arguments
  CommandDescription description;  // without a name: no file describes it
};

// Finds the command whose first word is at index `first`, using the files in these folders. Nothing
// if no program can carry it out. An unreadable file becomes a warning and counts as missing.
std::optional<SeparateCommand> findCommand(const CommandDescription &program,
                                           std::span<const std::string> arguments,
                                           std::size_t first,
                                           std::span<const CommandFolder> folders,
                                           std::vector<std::string> &warnings);

// Returns the program of the command and its arguments. A program of ours that takes options of the
// server gets all arguments as they are; any other program of ours gets the words of the command
// and what follows them; another author's program gets only what follows. --help before the command
// moves behind its words. Returns nothing if no file describes the command and `path` has no
// program of its name, or if --version or another option that skillhost answers itself stands
// before it. Fails if the program of a described command is missing, or if options of the server
// that the command does not take stand before it.
Result<std::optional<ProgramInvocation>> handOver(const CommandDescription &program,
                                                  std::span<const std::string> arguments,
                                                  const SeparateCommand &command,
                                                  const std::string &path);

// Returns the advice for a group of commands that was named alone: "choose a command, such as skill
// list".
std::string hintForGroup(const CommandDescription &program,
                         const std::vector<std::string> &commands);

// Adds the commands that files in these folders describe. A file for a command of the program
// itself becomes a problem.
CommandDescription withDescribedCommands(CommandDescription program,
                                         std::span<const CommandFolder> folders,
                                         std::vector<std::string> &problems);

} // namespace skillhost::app
