// SPDX-License-Identifier: Apache-2.0
// Files that describe commands, in JSON. The file of the command `key` is key.json. The file of
// `skill save`, which has a program of its own, is skill.save.json.
#pragma once

#include "commandline/description.hpp"
#include "ground/result.hpp"

#include <cstdint>
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

// Others may describe their commands, but not commands of the programs of skillhost.
enum class DescriptionBy : std::uint8_t { Us, Others };

// Reads the text of a file. Fails on a key that is unknown or wrong, and names it. Names, values
// and sentences that could speak to a terminal or to the shell of a completion are wrong.
Result<CommandDescription> readDescription(std::string_view text,
                                           DescriptionBy by = DescriptionBy::Us);

// The words of the command that a file describes, in the order in which they are typed.
using CommandWords = std::vector<std::string>;
// Returns the words for the name of a file, such as skill.save.json. Empty if no command can have
// a file of this name.
CommandWords commandWords(std::string_view fileName);

// A folder with files that describe commands.
struct CommandFolder {
  std::string path;
  DescriptionBy by = DescriptionBy::Us;
  bool operator==(const CommandFolder &) const = default;
};

// Reads the file of one command from the first of these folders that has it. Nothing if none has
// it. The failure names the file.
Result<std::optional<CommandDescription>> readCommandFile(std::span<const CommandFolder> folders,
                                                          const CommandWords &words);

struct CommandFiles {
  std::vector<CommandDescription> commands; // in the order of help
  std::vector<std::string> problems;        // "FILE: why it is left out"
};

// Reads the files of all commands. Of two files for one command the one in the earlier folder
// counts. A file for a command of `own`, or for one below it, is left out. A folder that is not
// there has no files.
CommandFiles readCommandFiles(std::span<const CommandFolder> folders,
                              std::span<const CommandDescription> own);

// Sorts commands as help lists them.
void sortCommands(std::vector<CommandDescription> &commands);

} // namespace skillhost::app
