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

constexpr std::size_t largestDescription = 1'048'576; // bytes
constexpr std::string_view ending = ".json";

Result<CommandDescription> readFileOf(const CommandWords &words, const std::string &path,
                                      DescriptionBy by) {
  // The user's folder depends on HOME, which may name another user's folder.
  if (by == DescriptionBy::Others)
    if (Status trusted = checkTrusted(path); !trusted) return std::move(trusted).failure();
  const Result<std::string> text = readFile(path, largestDescription, FileKind::Regular);
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

// Returns the first file of each command. Commands of one word come before those below them.
std::map<CommandWords, CommandFile> filesIn(std::span<const CommandFolder> folders,
                                            std::span<const CommandDescription> own,
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
      if (!name.ends_with(ending)) continue;
      const std::string path = folder + '/' + name;
      const CommandWords words = commandWords(name);
      if (words.empty())
        problems.push_back(folder + '/' + shownLine(name) +
                           ": no command can be called so: expected NAME.json, with a name "
                           "of a-z, 0-9 and single hyphens");
      else if (std::any_of(own.begin(), own.end(),
                           [&](const auto &one) { return one.name == words.front(); }))
        problems.push_back(path + ": is left out: skillhost itself carries out the command " +
                           words.front());
      else if (const auto [kept, isNew] = files.emplace(words, CommandFile{path, by}); !isNew)
        problems.push_back(path + ": is left out: " + kept->second.path +
                           " describes that command");
    }
  }
  return files;
}

} // namespace

CommandWords commandWords(std::string_view fileName) {
  if (!fileName.ends_with(ending)) return {};
  fileName.remove_suffix(ending.size());
  const std::size_t dot = fileName.find('.');
  CommandWords words{std::string(fileName.substr(0, dot))};
  if (dot != std::string_view::npos) words.emplace_back(fileName.substr(dot + 1));
  return std::all_of(words.begin(), words.end(), isCommandName) ? words : CommandWords{};
}

Result<std::optional<CommandDescription>> readCommandFile(std::span<const CommandFolder> folders,
                                                          const CommandWords &words) {
  if (!std::all_of(words.begin(), words.end(), isCommandName))
    return std::optional<CommandDescription>();
  const std::string file = joined(words, ".") + std::string(ending);
  for (const auto &[folder, by] : folders) {
    Result<CommandDescription> read = readFileOf(words, folder + '/' + file, by);
    if (read) return std::optional(*std::move(read));
    if (read.failure().fault != Fault::NotFound) return std::move(read).failure();
  }
  return std::optional<CommandDescription>();
}

CommandFiles readCommandFiles(std::span<const CommandFolder> folders,
                              std::span<const CommandDescription> own) {
  CommandFiles found;
  for (const auto &[words, file] : filesIn(folders, own, found.problems)) {
    Result<CommandDescription> read = readFileOf(words, file.path, file.by);
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
      // The file that describes the group may belong to another package.
      CommandDescription made{
          words.front(), "Commands below " + words.front() + '.', false, {helpOption()}};
      made.isGroup = true;
      group = found.commands.insert(found.commands.end(), std::move(made));
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
  const auto before = [](const CommandDescription &one, const CommandDescription &other) {
    return std::tie(one.position, one.name) < std::tie(other.position, other.name);
  };
  std::sort(commands.begin(), commands.end(), before);
  for (CommandDescription &command : commands)
    if (command.isGroup) std::sort(command.commands.begin(), command.commands.end(), before);
}

} // namespace skillhost::app
