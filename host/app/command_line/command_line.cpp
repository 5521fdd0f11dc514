// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.hpp"

#include "command_line/given.hpp"
#include "command_line/program.hpp"
#include "commandline/completion.hpp"
#include "commandline/find_command.hpp"
#include "commandline/help.hpp"
#include "configuration/describe.hpp"
#include "version_text.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace skillhost::app {
namespace {

using Command = Invocation::Command;
using Arguments = std::span<const std::string>;

SearchRoots searchRoots(const Surroundings &surroundings) {
  std::string data = surroundings.variable("XDG_DATA_HOME");
  const std::string home = surroundings.variable("HOME");
  if (data.empty() && !home.empty()) data = home + "/.local/share";
  return {surroundings.executable, surroundings.variable("PATH"), std::move(data)};
}

Invocation printText(std::string text, std::vector<std::string> warnings = {}) {
  Invocation invocation;
  invocation.command = Command::Print;
  invocation.text = std::move(text);
  invocation.warnings = std::move(warnings);
  return invocation;
}

// Describes skillhost with its own commands and those that files describe.
CommandDescription completeDescription(const Surroundings &surroundings,
                                       std::vector<std::string> &problems) {
  return withDescribedCommands(programDescription(), commandFolders(searchRoots(surroundings)),
                               problems);
}

std::string completion(const CommandDescription &program, const std::string &shell) {
  if (shell == "bash") return bashCompletion(program);
  return shell == "zsh" ? zshCompletion(program) : fishCompletion(program);
}

// Reads the configuration for `serve`.
Result<Invocation> serveWith(const ParsedArguments &arguments, const Surroundings &surroundings) {
  const Result<CommandLineSettings> settings = givenSettings(arguments);
  if (!settings) return settings.failure();
  Result<LoadedConfiguration> read = readConfiguration(*settings, surroundings);
  if (!read) return std::move(read).failure();
  if (Status fits = checkTransport(*settings, *read); !fits) return std::move(fits).failure();
  Invocation invocation;
  invocation.configuration = std::move(read->configuration);
  invocation.configurationFile = std::move(read->file);
  invocation.warnings = std::move(read->warnings);
  invocation.notices = std::move(read->notices);
  return invocation;
}

// Handles arguments that skillhost does not pass to another program. `isOwnCommand` is false if the
// first word names no command of skillhost itself. The files that describe the other commands are
// read only if they are needed: for such a word, for help and for completion.
Result<Invocation> ownInvocation(Arguments arguments, const Surroundings &surroundings,
                                 bool isOwnCommand) {
  std::vector<std::string> problems;
  CommandDescription program =
      isOwnCommand ? programDescription() : completeDescription(surroundings, problems);
  const Result<ParsedArguments> parsed = parseArguments(program, arguments);
  // If the command is unknown, the reason may be that the file which describes it cannot be read.
  std::string details;
  for (const std::string &problem : problems) details += '\n' + problem;
  if (!parsed) return Failure{parsed.failure().fault, parsed.failure().message + details};
  const bool completes = !parsed->commands.empty() && parsed->commands.front() == "completion";
  if (isOwnCommand && (completes || parsed->has("--help")))
    program = completeDescription(surroundings, problems);
  if (parsed->has("--help"))
    return printText(helpText(program, parsed->commands), std::move(problems));
  Result<std::optional<std::string>> text = textToPrint(*parsed, surroundings, !completes);
  if (!text) return std::move(text).failure();
  if (*text) return printText(**std::move(text));
  if (completes && !parsed->has("SHELL"))
    return refusedArguments(parsed->commands, "name the shell: bash, zsh or fish");
  if (completes) return printText(completion(program, parsed->last("SHELL")), std::move(problems));
  if (isOwnCommand) return serveWith(*parsed, surroundings);
  Failure refused = refusedArguments(parsed->commands, hintForGroup(program, parsed->commands));
  refused.message += details;
  return refused;
}

} // namespace

Result<std::optional<std::string>> textToPrint(const ParsedArguments &arguments,
                                               const Surroundings &surroundings,
                                               bool takesConfiguration) {
  if (arguments.has("--version")) return std::optional(versionText(surroundings) + '\n');
  if (arguments.has("--example-config")) {
    const std::string &form = arguments.last("--example-config");
    return std::optional(form == "markdown" ? configurationTable()
                         : form == "json"   ? exampleConfigurationAsJson()
                                            : exampleConfiguration());
  }
  if (arguments.has("--config-schema")) return std::optional(configurationSchema());
  if (!takesConfiguration || !arguments.has("--print-config")) return std::optional<std::string>();
  const Result<CommandLineSettings> settings = givenSettings(arguments);
  if (!settings) return settings.failure();
  const Result<LoadedConfiguration> read = readConfiguration(*settings, surroundings);
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
    return ownInvocation(arguments, surroundings, true);
  const SearchRoots roots = searchRoots(surroundings);
  Invocation invocation;
  const auto command =
      findCommand(program, arguments, first, commandFolders(roots), invocation.warnings);
  if (!command) return ownInvocation(arguments, surroundings, false);
  Result<std::optional<ProgramInvocation>> forProgram =
      handOver(program, arguments, *command, roots.path);
  if (!forProgram) return std::move(forProgram).failure();
  if (!*forProgram) return ownInvocation(arguments, surroundings, false);
  invocation.command = Command::Program;
  invocation.program = **std::move(forProgram);
  return invocation;
}

} // namespace skillhost::app
