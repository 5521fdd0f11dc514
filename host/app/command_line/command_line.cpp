// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.hpp"

#include "command_line/given.hpp"
#include "command_line/program.hpp"
#include "commandline/completion.hpp"
#include "commandline/description_file.hpp"
#include "commandline/help.hpp"
#include "configuration/describe.hpp"
#include "separate_program.hpp"
#include "version_text.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace skillhost::app {
namespace {

using Command = Invocation::Command;
using Arguments = std::span<const std::string>;

Invocation printed(std::string text, std::vector<std::string> warnings = {}) {
  Invocation invocation;
  invocation.command = Command::Print;
  invocation.text = std::move(text);
  invocation.warnings = std::move(warnings);
  return invocation;
}

// Returns true if the value of the option is the next argument.
bool takesNext(const CommandDescription &program, std::string_view argument) {
  const bool isLong = argument.starts_with("--");
  if (isLong && argument.find('=') != std::string_view::npos) return false;
  // Of short ones written together the first that takes a value ends the word: -vc FILE, -cFILE.
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

// The place of the first word at or after `from` that is neither an option of the server nor the
// value of one; the number of arguments if there is none.
std::size_t nextWord(const CommandDescription &program, Arguments arguments, std::size_t from) {
  for (std::size_t at = from; at < arguments.size(); ++at) {
    const std::string &argument = arguments[at];
    if (argument == "--") break;
    if (argument.size() < 2 || !argument.starts_with('-')) return at;
    if (takesNext(program, argument)) ++at;
  }
  return arguments.size();
}

// skillhost with every command there is.
CommandDescription completeDescription(const Surroundings &surroundings,
                                       std::vector<std::string> &problems) {
  CommandDescription program = programDescription();
  CommandFiles files = readCommandFiles(commandFolders(surroundings));
  problems = std::move(files.problems);
  for (CommandDescription &command : files.commands)
    if (std::none_of(program.commands.begin(), program.commands.end(),
                     [&](const auto &own) { return own.name == command.name; }))
      program.commands.push_back(std::move(command));
  sortCommands(program.commands);
  return program;
}

std::string completion(const CommandDescription &program, const std::string &shell) {
  if (shell == "bash") return bashCompletion(program);
  return shell == "zsh" ? zshCompletion(program) : fishCompletion(program);
}

// A command that is a program of its own.
struct SeparateCommand {
  CommandWords words;
  std::vector<std::size_t> places; // of these words among the arguments
  CommandDescription description;  // without a name: no file describes it
};

// Looks for the command whose first word stands at `first`. Nothing: no program carries it out.
// Files that cannot be read become warnings: a program of that name may be there.
std::optional<SeparateCommand> findCommand(const CommandDescription &program, Arguments arguments,
                                           std::size_t first, const Surroundings &surroundings,
                                           std::vector<std::string> &warnings) {
  const std::vector<std::string> folders = commandFolders(surroundings);
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
  if (found && found->isGroup) return std::nullopt;
  if (found) command.description = *std::move(found);
  if (!found && !isCommandName(command.words.front())) return std::nullopt;
  return command;
}

std::string joined(const CommandWords &words, const char *between) {
  std::string text;
  for (const std::string &word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// The invocation of a command with options of the server before or between its words, which its
// program does not take.
Result<Invocation> withoutOptions(const CommandDescription &program, Arguments arguments,
                                  const SeparateCommand &command, Invocation invocation,
                                  const Surroundings &surroundings) {
  std::vector<std::string> before;
  for (std::size_t at = 0; at < command.places.back(); ++at)
    if (std::find(command.places.begin(), command.places.end(), at) == command.places.end())
      before.push_back(arguments[at]);
  const Result<ParsedArguments> given = parseArguments(program, before);
  if (!given) return given.failure();
  if (given->has("--help"))
    invocation.program.arguments.emplace_back("--help");
  else if (given->has("--version"))
    return printed(versionText(surroundings) + '\n');
  else if (command.description.serverOptions == ServerOptions::Refused)
    return refusedArguments({}, "the command " + command.words.front() +
                                    " takes no options of the server: write `skillhost " +
                                    command.words.front() + " …` without any before it");
  return invocation;
}

// Returns nothing if no program of that name is there and no file describes one.
Result<std::optional<Invocation>> handedOver(const CommandDescription &program, Arguments arguments,
                                             const SeparateCommand &command,
                                             const Surroundings &surroundings) {
  const CommandDescription &description = command.description;
  const bool isOurs = !description.program.empty();
  Invocation invocation;
  invocation.command = Command::Program;
  ProgramInvocation &handed = invocation.program;
  handed.command = joined(command.words, " ");
  handed.name = isOurs ? description.program : joined(command.words, "-");
  if (!isOurs) {
    handed.file = programOnPath(surroundings, handed.name);
    if (handed.file.empty() && description.name.empty()) return std::optional<Invocation>();
    if (handed.file.empty())
      return Failure{Fault::NotFound, "the command " + handed.command +
                                          " is a program of its own, skillhost-" + handed.name +
                                          ", which is in no folder of PATH"};
  }
  if (isOurs && description.serverOptions == ServerOptions::Taken) {
    handed.arguments.assign(arguments.begin(), arguments.end());
    return std::optional(std::move(invocation));
  }
  if (isOurs) handed.arguments = command.words;
  const Arguments rest = arguments.subspan(command.places.back() + 1);
  handed.arguments.insert(handed.arguments.end(), rest.begin(), rest.end());
  if (command.places.back() + 1 == command.words.size())
    return std::optional(std::move(invocation));
  Result<Invocation> without =
      withoutOptions(program, arguments, command, std::move(invocation), surroundings);
  if (!without) return std::move(without).failure();
  return std::optional(*std::move(without));
}

// Reads the configuration, to serve by it or to print it.
Result<Invocation> configured(const ParsedArguments &given, const Surroundings &surroundings) {
  const Result<Given> settings = givenSettings(given);
  if (!settings) return settings.failure();
  Result<ReadConfiguration> read = readConfiguration(*settings, surroundings);
  if (!read) return std::move(read).failure();
  if (Status fits = checkTransport(*settings, *read); !fits) return std::move(fits).failure();
  Invocation invocation;
  invocation.configuration = std::move(read->configuration);
  invocation.configurationFile = std::move(read->file);
  invocation.warnings = std::move(read->warnings);
  invocation.notices = std::move(read->notices);
  return invocation;
}

// What skillhost itself does. `arguments` name none of the commands that are programs.
Result<Invocation> ownInvocation(Arguments arguments, const Surroundings &surroundings) {
  const Result<ParsedArguments> parsed = parseArguments(programDescription(), arguments);
  if (!parsed) return parsed.failure();
  std::vector<std::string> problems;
  if (parsed->has("--help")) {
    const CommandDescription program = completeDescription(surroundings, problems);
    return printed(helpText(program, parsed->commands), std::move(problems));
  }
  const bool completes = !parsed->commands.empty() && parsed->commands.front() == "completion";
  Result<std::optional<std::string>> text = printedInstead(*parsed, surroundings, !completes);
  if (!text) return std::move(text).failure();
  if (*text) return printed(**std::move(text));
  if (completes && !parsed->has("SHELL"))
    return refusedArguments(parsed->commands, "name the shell: bash, zsh or fish");
  if (completes) {
    const CommandDescription program = completeDescription(surroundings, problems);
    return printed(completion(program, parsed->last("SHELL")), std::move(problems));
  }
  return configured(*parsed, surroundings);
}

// For a word that is no command, or only the heading of some: help, or what is wrong.
Result<Invocation> withoutProgram(Arguments arguments, const Surroundings &surroundings,
                                  std::vector<std::string> warnings) {
  std::vector<std::string> problems;
  const CommandDescription program = completeDescription(surroundings, problems);
  const Result<ParsedArguments> parsed = parseArguments(program, arguments);
  // A file that cannot be read may be the one of the command.
  for (const std::string &problem : problems)
    if (std::find(warnings.begin(), warnings.end(), problem) == warnings.end())
      warnings.push_back(problem);
  std::string said;
  for (const std::string &warning : warnings) said += "\n" + warning;
  if (!parsed) return Failure{parsed.failure().fault, parsed.failure().message + said};
  if (parsed->has("--help"))
    return printed(helpText(program, parsed->commands), std::move(warnings));
  Result<std::optional<std::string>> text = printedInstead(*parsed, surroundings, true);
  if (!text) return std::move(text).failure();
  if (*text) return printed(**std::move(text));
  const std::string words = joined(parsed->commands, " ");
  std::string example;
  for (const CommandDescription &command : program.commands)
    if (words == command.name && !command.commands.empty())
      example = words + ' ' + command.commands.front().name;
  Failure refused = refusedArguments(parsed->commands, "say what to do, such as " + example);
  refused.message += said;
  return refused;
}

} // namespace

Result<std::optional<std::string>> printedInstead(const ParsedArguments &given,
                                                  const Surroundings &surroundings,
                                                  bool takesConfiguration) {
  if (given.has("--version")) return std::optional(versionText(surroundings) + '\n');
  if (given.has("--example-config")) {
    const std::string &form = given.last("--example-config");
    return std::optional(form == "markdown" ? configurationTable()
                         : form == "json"   ? exampleConfigurationAsJson()
                                            : exampleConfiguration());
  }
  if (given.has("--config-schema")) return std::optional(configurationSchema());
  if (!takesConfiguration || !given.has("--print-config")) return std::optional<std::string>();
  const Result<Given> settings = givenSettings(given);
  if (!settings) return settings.failure();
  const Result<ReadConfiguration> read = readConfiguration(*settings, surroundings);
  if (!read) return read.failure();
  return std::optional(printedConfiguration(read->configuration, read->file));
}

Status checkArguments(std::span<const std::string> arguments, const Surroundings &surroundings) {
  std::vector<std::string> problems;
  const auto parsed = parseArguments(completeDescription(surroundings, problems), arguments);
  return parsed ? Status(Done{}) : Status(parsed.failure());
}

Result<Invocation> parseCommandLine(std::span<const std::string> arguments,
                                    const Surroundings &surroundings) {
  const CommandDescription program = programDescription();
  const std::size_t first = nextWord(program, arguments, 0);
  if (first == arguments.size() ||
      std::any_of(program.commands.begin(), program.commands.end(),
                  [&](const auto &own) { return own.name == arguments[first]; }))
    return ownInvocation(arguments, surroundings);
  std::vector<std::string> warnings;
  if (const auto command = findCommand(program, arguments, first, surroundings, warnings)) {
    auto invocation = handedOver(program, arguments, *command, surroundings);
    if (!invocation) return std::move(invocation).failure();
    if (*invocation) {
      (*invocation)->warnings = std::move(warnings);
      return **std::move(invocation);
    }
  }
  return withoutProgram(arguments, surroundings, std::move(warnings));
}

} // namespace skillhost::app
