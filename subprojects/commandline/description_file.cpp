// SPDX-License-Identifier: Apache-2.0
#include "commandline/description_file.hpp"

#include "ground/fault.hpp"
#include "ground/folder.hpp"
#include "ground/read_file.hpp"
#include "ground/shown.hpp"
#include "ground/trusted_path.hpp"

#include <algorithm>
#include <map>
#include <system_error>
#include <tuple>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::size_t maxDescriptionBytes = 1'048'576;
constexpr std::string_view fileSuffix = ".json";

Result<CommandDescription> readDescriptionFile(const CommandWords &words, const std::string &path,
                                               DescriptionBy by) {
  // Files of other authors are in a folder below HOME, and HOME may name the folder of another
  // user. Therefore only trusted files are read.
  if (by == DescriptionBy::Others)
    if (Status trusted = checkTrusted(path); !trusted) return std::move(trusted).failure();
  const Result<std::string> text = readFile(path, maxDescriptionBytes, FileKind::Regular);
  if (!text) return Failure{text.failure().fault, path + ": " + text.failure().message};
  Result<CommandDescription> read = readDescription(*text, by);
  if (!read) return Failure{Fault::InvalidInput, path + ": " + read.failure().message};
  if (read->name != words.back())
    return Failure{Fault::InvalidInput, path + ": name: expected \"" + words.back() +
                                            "\", as the file is called, found \"" + read->name +
                                            '"'};
  return read;
}

struct CommandFile {
  std::string path;
  DescriptionBy by;
};

// Returns a file for each command: the one in the first folder that has it. A group precedes its
// commands, because the map compares word by word.
std::map<CommandWords, CommandFile> findCommandFiles(std::span<const CommandFolder> folders,
                                                     std::span<const CommandDescription> builtIn,
                                                     std::vector<std::string> &problems) {
  std::map<CommandWords, CommandFile> files;
  for (const auto &[folder, by] : folders) {
    std::error_code error;
    std::vector<std::string> names = namesIn(folder, error);
    if (error && error != std::errc::no_such_file_or_directory &&
        error != std::errc::not_a_directory)
      problems.push_back(folder + ": cannot be read: " + error.message());
    std::sort(names.begin(), names.end());
    for (const std::string &name : names) {
      if (!name.ends_with(fileSuffix)) continue;
      const std::string path = folder + '/' + name;
      const CommandWords words = commandWords(name);
      if (words.empty())
        problems.push_back(folder + '/' + shownLine(name) +
                           ": no command can be called so: expected NAME.json, with a name "
                           "of a-z, 0-9 and single hyphens");
      else if (std::any_of(builtIn.begin(), builtIn.end(),
                           [&](const auto &one) { return one.name == words.front(); }))
        problems.push_back(path + ": is left out: skillhost itself carries out the command " +
                           words.front());
      else if (const auto [existing, isNew] = files.emplace(words, CommandFile{path, by}); !isNew)
        problems.push_back(path + ": is left out: " + existing->second.path +
                           " describes that command");
    }
  }
  return files;
}

} // namespace

CommandWords commandWords(std::string_view fileName) {
  if (!fileName.ends_with(fileSuffix)) return {};
  fileName.remove_suffix(fileSuffix.size());
  const std::size_t dot = fileName.find('.');
  CommandWords words{std::string(fileName.substr(0, dot))};
  if (dot != std::string_view::npos) words.emplace_back(fileName.substr(dot + 1));
  return std::all_of(words.begin(), words.end(), isCommandName) ? words : CommandWords{};
}

Result<std::optional<CommandDescription>> readCommandFile(std::span<const CommandFolder> folders,
                                                          const CommandWords &words) {
  if (!std::all_of(words.begin(), words.end(), isCommandName))
    return std::optional<CommandDescription>();
  const std::string file = joined(words, ".") + std::string(fileSuffix);
  for (const auto &[folder, by] : folders) {
    Result<CommandDescription> read = readDescriptionFile(words, folder + '/' + file, by);
    if (read) return std::optional(*std::move(read));
    if (read.failure().fault != Fault::NotFound) return std::move(read).failure();
  }
  return std::optional<CommandDescription>();
}

CommandFiles readCommandFiles(std::span<const CommandFolder> folders,
                              std::span<const CommandDescription> own) {
  CommandFiles found;
  for (const auto &[words, file] : findCommandFiles(folders, own, found.problems)) {
    Result<CommandDescription> read = readDescriptionFile(words, file.path, file.by);
    if (!read) {
      found.problems.push_back(read.failure().message);
      continue;
    }
    if (words.size() == 1) {
      found.commands.push_back(*std::move(read));
      continue;
    }
    auto group = std::find_if(found.commands.begin(), found.commands.end(),
                              [&](const auto &one) { return one.name == words.front(); });
    if (group == found.commands.end()) {
      // The group's own file may be missing, because it belongs to a package that is not installed.
      CommandDescription newGroup{
          words.front(), "Commands below " + words.front() + '.', false, {helpOption()}};
      newGroup.isGroup = true;
      group = found.commands.insert(found.commands.end(), std::move(newGroup));
    }
    if (!group->isGroup)
      found.problems.push_back(file.path + ": is left out: " + words.front() +
                               " is a command with a program, and no group of commands");
    else
      group->commands.push_back(*std::move(read));
  }
  sortCommands(found.commands);
  return found;
}

void sortCommands(std::vector<CommandDescription> &commands) {
  const auto precedes = [](const CommandDescription &one, const CommandDescription &other) {
    return std::tie(one.position, one.name) < std::tie(other.position, other.name);
  };
  std::sort(commands.begin(), commands.end(), precedes);
  for (CommandDescription &command : commands)
    if (command.isGroup) std::sort(command.commands.begin(), command.commands.end(), precedes);
}

} // namespace skillhost::app
