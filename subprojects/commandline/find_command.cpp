// SPDX-License-Identifier: Apache-2.0
#include "commandline/find_command.hpp"

#include "commandline/parser.hpp"
#include "ground/fault.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace skillhost::app {
namespace {

// Returns true if the value of the option is the next argument.
bool takesNext(const CommandDescription &program, std::string_view argument) {
  const bool isLong = argument.starts_with("--");
  if (isLong && argument.find('=') != std::string_view::npos) return false;
  // In joined short options, the first one with a value ends the word: -vc FILE, -cFILE.
  for (std::size_t at = 1; at < argument.size(); ++at) {
    const std::string name = isLong ? std::string(argument) : std::string("-") + argument[at];
    for (const ArgumentDescription &option : program.options)
      if (!option.value.empty() && !option.valueOptional &&
          std::find(option.names.begin(), option.names.end(), name) != option.names.end())
        return isLong || at + 1 == argument.size();
    if (isLong) return false;
  }
  return false;
}

// Returns the arguments that replace the options before or between the words of a command that
// takes no options of the server: --help, or none. Nothing if skillhost itself answers them.
Result<std::optional<CommandWords>> answerToOptions(const CommandDescription &program,
                                                    std::span<const std::string> arguments,
                                                    const SeparateCommand &command) {
  std::vector<std::string> before;
  for (std::size_t at = 0; at < command.places.back(); ++at)
    if (std::find(command.places.begin(), command.places.end(), at) == command.places.end())
      before.push_back(arguments[at]);
  if (before.empty()) return std::optional<CommandWords>(before);
  const Result<ParsedArguments> parsed = parseArguments(program, before);
  if (!parsed) return parsed.failure();
  if (parsed->has("--help")) return std::optional(CommandWords{"--help"});
  for (const char *printing : {"--version", "--example-config", "--config-schema"})
    if (parsed->has(printing)) return std::optional<CommandWords>();
  if (command.description.serverOptions == ServerOptions::Ignored)
    return std::optional(CommandWords{});
  return refusedArguments({}, "the command " + command.words.front() +
                                  " takes no options of the server: write `skillhost " +
                                  command.words.front() + " …` without any before it");
}

} // namespace

std::size_t nextWord(const CommandDescription &program, std::span<const std::string> arguments,
                     std::size_t from) {
  for (std::size_t at = from; at < arguments.size(); ++at) {
    const std::string &argument = arguments[at];
    if (argument == "--") break;
    if (argument.size() < 2 || !argument.starts_with('-')) return at;
    if (takesNext(program, argument)) ++at;
  }
  return arguments.size();
}

std::optional<SeparateCommand> findCommand(const CommandDescription &program,
                                           std::span<const std::string> arguments,
                                           std::size_t first,
                                           std::span<const CommandFolder> folders,
                                           std::vector<std::string> &warnings) {
  const auto read = [&](const CommandWords &words) {
    Result<std::optional<CommandDescription>> found = readCommandFile(folders, words);
    if (found) return *std::move(found);
    warnings.push_back(found.failure().message);
    return std::optional<CommandDescription>();
  };
  SeparateCommand command{{arguments[first]}, {first}, {}};
  std::optional<CommandDescription> found = read(command.words);
  if (const std::size_t second = nextWord(program, arguments, first + 1);
      (!found || found->isGroup) && second < arguments.size())
    if (auto below = read({arguments[first], arguments[second]})) {
      command.words.push_back(arguments[second]);
      command.places.push_back(second);
      found = std::move(below);
    }
  if (found ? found->isGroup : !isCommandName(command.words.front())) return std::nullopt;
  if (found) command.description = *std::move(found);
  return command;
}

Result<std::optional<ProgramInvocation>> handOver(const CommandDescription &program,
                                                  std::span<const std::string> arguments,
                                                  const SeparateCommand &command,
                                                  const std::string &path) {
  const CommandDescription &description = command.description;
  const bool isOurs = !description.program.empty();
  ProgramInvocation handed;
  handed.command = joined(command.words, " ");
  handed.name = isOurs ? description.program : joined(command.words, "-");
  if (!isOurs) {
    handed.file = programOnPath(path, handed.name);
    if (handed.file.empty() && description.name.empty()) return std::optional<ProgramInvocation>();
    if (handed.file.empty())
      return Failure{Fault::NotFound, "the command " + handed.command +
                                          " is a program of its own, skillhost-" + handed.name +
                                          ", which is in no folder of PATH"};
  }
  if (isOurs && description.serverOptions == ServerOptions::Taken) {
    handed.arguments.assign(arguments.begin(), arguments.end());
    return std::optional(std::move(handed));
  }
  const Result<std::optional<CommandWords>> answer = answerToOptions(program, arguments, command);
  if (!answer) return answer.failure();
  if (!*answer) return std::optional<ProgramInvocation>();
  if (isOurs) handed.arguments = command.words;
  // --help comes before the rest, because behind "--" it would not be an option.
  handed.arguments.insert(handed.arguments.end(), (*answer)->begin(), (*answer)->end());
  const auto rest = arguments.subspan(command.places.back() + 1);
  handed.arguments.insert(handed.arguments.end(), rest.begin(), rest.end());
  return std::optional(std::move(handed));
}

std::string hintForGroup(const CommandDescription &program,
                         const std::vector<std::string> &commands) {
  const std::string words = joined(commands, " ");
  for (const CommandDescription &command : program.commands)
    if (words == command.name && !command.commands.empty())
      return "choose a command, such as " + words + ' ' + command.commands.front().name;
  return "choose a command";
}

CommandDescription withDescribedCommands(CommandDescription program,
                                         std::span<const CommandFolder> folders,
                                         std::vector<std::string> &problems) {
  CommandFiles files = readCommandFiles(folders, program.commands);
  problems = std::move(files.problems);
  program.commands.insert(program.commands.end(), std::make_move_iterator(files.commands.begin()),
                          std::make_move_iterator(files.commands.end()));
  sortCommands(program.commands);
  return program;
}

} // namespace skillhost::app
