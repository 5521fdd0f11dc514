// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.hpp"

#include "command_line/generate_command.hpp"
#include "command_line/given.hpp"
#include "command_line/program.hpp"
#include "command_line/store_commands.hpp"
#include "commandline/completion.hpp"
#include "commandline/help.hpp"
#include "configuration/describe.hpp"
#include "version_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace skillhost::app {
namespace {

using Command = Invocation::Command;

// These programs know no option of the server, so none may stand before their commands. Those
// before `validate` mean nothing to it, and are left out.
constexpr std::array<std::string_view, 5> withoutServerOptions{"check", "connect", "generate",
                                                               "model", "token"};

Invocation printed(std::string text) {
  Invocation invocation;
  invocation.command = Command::Print;
  invocation.text = std::move(text);
  return invocation;
}

// The words of the command and what follows the last of them, without the options that stand
// before and between these words.
std::vector<std::string> fromCommand(const CommandDescription &program,
                                     const ParsedArguments &given,
                                     std::span<const std::string> arguments) {
  const std::vector<std::string> words(given.commands.begin(), given.commands.end() - 1);
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    if (arguments[at] != given.commands.back()) continue;
    const Result<ParsedArguments> before = parseArguments(program, arguments.first(at));
    if (!before || before->commands != words) continue;
    std::vector<std::string> kept = words;
    kept.insert(kept.end(), arguments.begin() + static_cast<std::ptrdiff_t>(at), arguments.end());
    const Result<ParsedArguments> rest = parseArguments(program, kept);
    if (rest && rest->commands == given.commands) return kept;
  }
  return {arguments.begin(), arguments.end()};
}

Result<Invocation> ofProgram(const ParsedArguments &given, std::string name,
                             std::span<const std::string> arguments) {
  const std::string &command = given.commands.front();
  const auto *const end = withoutServerOptions.end();
  if (arguments.front() != command && std::find(withoutServerOptions.begin(), end, name) != end)
    return refusedArguments({}, "the command " + command +
                                    " takes no options of the server: write `skillhost " + command +
                                    " …` without any before it");
  std::string words;
  for (const std::string &word : given.commands) words += (words.empty() ? "" : " ") + word;
  Invocation invocation;
  invocation.command = Command::Program;
  invocation.program = {std::move(name), std::move(words), {arguments.begin(), arguments.end()}};
  return invocation;
}

std::string completion(const CommandDescription &program, const std::string &shell) {
  if (shell == "bash") return bashCompletion(program);
  return shell == "zsh" ? zshCompletion(program) : fishCompletion(program);
}

// The name of the program that carries out what was given: that of the innermost command that has
// one. Empty: this program does.
std::string programOf(const CommandDescription &program, const ParsedArguments &given) {
  if (concernsStore(given)) return "store";
  std::string name;
  const CommandDescription *at = &program;
  for (const std::string &command : given.commands) {
    const auto found = std::find_if(at->commands.begin(), at->commands.end(),
                                    [&](const auto &one) { return one.name == command; });
    if (found == at->commands.end()) break;
    at = &*found;
    if (!at->program.empty()) name = at->program;
  }
  return name;
}

// Reads the configuration, to serve by it or to print it.
Result<Invocation> configured(const ParsedArguments &given, const Surroundings &surroundings) {
  const Result<Given> settings = givenSettings(given);
  if (!settings) return settings.failure();
  Result<ReadConfiguration> read = readConfiguration(*settings, surroundings);
  if (!read) return std::move(read).failure();
  if (given.has("--print-config"))
    return printed(printedConfiguration(read->configuration, read->file));
  if (Status fits = checkTransport(*settings, *read); !fits) return std::move(fits).failure();
  Invocation invocation;
  invocation.configuration = std::move(read->configuration);
  invocation.configurationFile = std::move(read->file);
  invocation.warnings = std::move(read->warnings);
  invocation.notices = std::move(read->notices);
  return invocation;
}

} // namespace

Result<Invocation> parseCommandLine(std::span<const std::string> arguments,
                                    const Surroundings &surroundings) {
  const CommandDescription program = programDescription();
  const Result<ParsedArguments> parsed = parseArguments(program, withoutServerCommand(arguments));
  if (!parsed) return parsed.failure();
  if (parsed->has("--help")) return printed(helpText(program, parsed->commands));
  if (parsed->has("--version")) return printed(versionText(surroundings) + '\n');
  if (parsed->has("--example-config")) {
    const std::string &form = parsed->last("--example-config");
    return printed(form == "markdown" ? configurationTable()
                   : form == "json"   ? exampleConfigurationAsJson()
                                      : exampleConfiguration());
  }
  if (parsed->has("--config-schema")) return printed(configurationSchema());
  if (!parsed->commands.empty() && parsed->commands.front() == "completion") {
    if (!parsed->has("SHELL"))
      return refusedArguments(parsed->commands, "name the shell: bash, zsh or fish");
    return printed(completion(program, parsed->last("SHELL")));
  }
  std::string name = programOf(program, *parsed);
  // These two write what they are told to, whatever the configuration is.
  const std::vector<std::string> &words = parsed->commands;
  const bool isWriting = !words.empty() && (words.front() == "client-config" ||
                                            (words.front() == "skill" && words.back() == "new"));
  const bool takesConfiguration = !isWriting && (name == "catalogue" || name == "store");
  if (name.empty() || (takesConfiguration && parsed->has("--print-config")))
    return configured(*parsed, surroundings);
  if (name == "validate")
    return ofProgram(*parsed, std::move(name), fromCommand(program, *parsed, arguments));
  return ofProgram(*parsed, std::move(name), arguments);
}

} // namespace skillhost::app
