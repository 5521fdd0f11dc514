// SPDX-License-Identifier: Apache-2.0
// Files in JSON that describe commands. The file of the command `key` is key.json. The file of
// `skill save`, which has its own program, is skill.save.json.
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

// Returns true for a-z, 0-9 and single hyphens between them, at most 64 characters. Such a word is
// safe in a file's name and in a shell script.
bool isCommandName(std::string_view word);

// Returns the description as the text of a file for readDescription().
std::string descriptionText(const CommandDescription &command);

// Other authors may describe their commands, but not commands of skillhost's programs.
enum class DescriptionBy : std::uint8_t { Us, Others };

// Reads the text of a file. Fails on an unknown or invalid key, and names it. Names, values and
// sentences that could control a terminal or the shell of a completion are invalid.
Result<CommandDescription> readDescription(std::string_view text,
                                           DescriptionBy by = DescriptionBy::Us);

// The words of a described command, in the order of typing.
using CommandWords = std::vector<std::string>;
// Returns the words for the name of a file, such as skill.save.json. Empty if no command can have
// such a file.
CommandWords commandWords(std::string_view fileName);

// A folder with files that describe commands.
struct CommandFolder {
  std::string path;
  DescriptionBy by = DescriptionBy::Us;
  bool operator==(const CommandFolder &) const = default;
};

// Reads the file of one command from the first of these folders that has it. Nothing if none has
// it. A failure names the file.
Result<std::optional<CommandDescription>> readCommandFile(std::span<const CommandFolder> folders,
                                                          const CommandWords &words);

struct CommandFiles {
  std::vector<CommandDescription> commands; // in the order of help
  std::vector<std::string> problems;        // "FILE: why it is left out"
};

// Reads the files of all commands. If two files describe one command, the one in the earlier folder
// counts. A file for a command of `own`, or for one below it, is left out. A missing folder has no
// files.
CommandFiles readCommandFiles(std::span<const CommandFolder> folders,
                              std::span<const CommandDescription> own);

// Sorts commands in the order of help.
void sortCommands(std::vector<CommandDescription> &commands);

} // namespace skillhost::app
