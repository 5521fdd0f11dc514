// SPDX-License-Identifier: Apache-2.0
// Files that describe commands, in JSON. The file of the command `key` is key.json. The file of
// `skill save`, which has a program of its own, is skill.save.json.
#pragma once

#include "commandline/description.hpp"
#include "ground/result.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app {

// Returns true for a-z, 0-9 and single hyphens between them, at most 64 characters. A word of this
// form is safe as a part of a file's name and of a shell's script.
bool isCommandName(std::string_view word);

// Returns the description as the text of a file, which readDescription() reads.
std::string descriptionText(const CommandDescription &command);

// Reads the text of a file. Fails on a key that is unknown or wrong, and names it. Names, values
// and sentences that could speak to a terminal or to the shell of a completion are wrong.
Result<CommandDescription> readDescription(std::string_view text);

// The words of the command that a file describes, in the order in which they are typed.
using CommandWords = std::vector<std::string>;
// Of a file of this name, such as skill.save.json. Empty if no command can have it.
CommandWords commandWords(std::string_view fileName);

// Reads the file of one command from the first of these folders that has it. Nothing if none has
// it. The failure names the file.
Result<std::optional<CommandDescription>> readCommandFile(std::span<const std::string> folders,
                                                          const CommandWords &words);

struct CommandFiles {
  std::vector<CommandDescription> commands; // in the order of help
  std::vector<std::string> problems;        // "FILE: why it is left out"
};

// Reads the files of all commands. Of two files for one command the one in the earlier folder
// counts. A folder that is not there has no files.
CommandFiles readCommandFiles(std::span<const std::string> folders);

// Sorts commands as help lists them.
void sortCommands(std::vector<CommandDescription> &commands);

} // namespace skillhost::app
