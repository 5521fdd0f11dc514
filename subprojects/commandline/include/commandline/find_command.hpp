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

// The command whose first word stands at `first`, by the files in these folders. Nothing if no
// program can carry it out. A file that cannot be read becomes a warning, as if it were not there.
std::optional<SeparateCommand> findCommand(const CommandDescription &program,
                                           std::span<const std::string> arguments,
                                           std::size_t first, std::span<const std::string> folders,
                                           std::vector<std::string> &warnings);

// How the program of the command is executed, with what of the arguments is for it. Nothing if no
// file describes it and no program of its name is in a folder of `path`, and if --version or
// another option stands before it that skillhost itself answers. Fails if it is described
// and not there, and if options of the server stand before it that it does not take.
Result<std::optional<ProgramInvocation>> handOver(const CommandDescription &program,
                                                  std::span<const std::string> arguments,
                                                  const SeparateCommand &command,
                                                  const std::string &path);

// What to add to a group of commands that was named alone, such as "say what to do: skill list".
std::string whatToSay(const CommandDescription &program, const std::vector<std::string> &commands);

// The program with the commands that files in these folders describe. Its own win.
CommandDescription withDescribedCommands(CommandDescription program,
                                         std::span<const std::string> folders,
                                         std::vector<std::string> &problems);

} // namespace skillhost::app
