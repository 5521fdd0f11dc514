// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.hpp"

#include "command_line/client_config.hpp"
#include "command_line/completion.hpp"
#include "command_line/connect_command.hpp"
#include "command_line/generate_command.hpp"
#include "command_line/given.hpp"
#include "command_line/help.hpp"
#include "command_line/plugin_commands.hpp"
#include "command_line/store_commands.hpp"
#include "command_line/token_commands.hpp"
#include "configuration/describe.hpp"
#include "configuration/paths.hpp"

#include <utility>

namespace skillhost::app {
namespace {

using Command = Invocation::Command;

Invocation printed(std::string text, std::string note = {}) {
  Invocation invocation;
  invocation.command = Command::Print;
  invocation.text = std::move(text);
  invocation.note = std::move(note);
  return invocation;
}

std::string help(const CommandDescription &program, const std::vector<std::string> &commands) {
  std::vector<const CommandDescription *> path{&program};
  for (const std::string &name : commands)
    for (const CommandDescription &one : path.back()->commands)
      if (one.name == name) {
        path.push_back(&one);
        break;
      }
  return helpText(path);
}

std::string completion(const CommandDescription &program, const std::string &shell) {
  if (shell == "bash") return bashCompletion(program);
  return shell == "zsh" ? zshCompletion(program) : fishCompletion(program);
}

Result<Invocation> validate(const ParsedArguments &given, const Surroundings &surroundings) {
  if (!given.has("PATH"))
    return refusedArguments(
        given.commands, "name what to check: a SKILL.md, a skill's folder, or a tree of skills");
  Invocation invocation;
  invocation.command = Command::Validate;
  invocation.strict = given.has("--strict") && given.last("--strict") == "true";
  invocation.hidden = given.has("--hidden");
  invocation.json = given.has("--json");
  for (const std::string &path : given.values.at("PATH"))
    invocation.paths.push_back(absolutePath(path, surroundings.workingDirectory, surroundings));
  return invocation;
}

// The command and its own arguments, without the configuration.
Result<Invocation> chosen(const ParsedArguments &given) {
  Invocation invocation;
  invocation.json = given.has("--json");
  const std::string command = given.commands.empty() ? "serve" : given.commands.front();
  if (command == "plugins") {
    invocation.command = Command::Plugins;
    invocation.lockFile = given.last("--write-lock");
  }
  if (command == "lock") {
    invocation.command = Command::Lock;
    invocation.lockFile = given.last("--file");
    invocation.checkLock = given.has("--check");
  }
  if (command == "search") {
    invocation.command = Command::Search;
    if (!given.has("QUERY"))
      return refusedArguments(given.commands, "say what to search for, such as skillhost search "
                                              "\"merge PDF files\"");
    for (const std::string &word : given.values.at("QUERY"))
      invocation.query += (invocation.query.empty() ? "" : " ") + word;
  }
  if (command == "source") {
    if (given.commands.size() < 2)
      return refusedArguments(given.commands,
                              "say what to do: source list, source status or source refresh");
    invocation.command = given.commands[1] == "list"     ? Command::SourceList
                         : given.commands[1] == "status" ? Command::SourceStatus
                                                         : Command::SourceRefresh;
    if (given.has("NAME")) invocation.sources = given.values.at("NAME");
  }
  if (command != "skill") return invocation;
  if (given.commands.size() < 2)
    return refusedArguments(given.commands, "say what to do, such as skill list");
  invocation.command = given.commands[1] == "list" ? Command::SkillList : Command::SkillInfo;
  invocation.skill = given.last("NAME");
  if (invocation.command == Command::SkillInfo && invocation.skill.empty())
    return refusedArguments(given.commands, "name the skill");
  return invocation;
}

Result<Invocation> clientConfig(const ParsedArguments &given, const Surroundings &surroundings) {
  if (!given.has("CLIENT"))
    return refusedArguments(given.commands,
                            "name the client, one of " + std::string(clientChoices));
  const Result<Given> settings = givenSettings(given);
  if (!settings) return settings.failure();
  ClientSnippet snippet = clientSnippet(given.last("CLIENT"), surroundings.executable,
                                        repeatedSettings(given, surroundings));
  return printed(std::move(snippet.text), std::move(snippet.where));
}

Result<Invocation> configured(const ParsedArguments &given, const Surroundings &surroundings) {
  Result<Invocation> invocation =
      concernsStore(given) ? storeInvocation(given, surroundings) : chosen(given);
  if (!invocation) return invocation;
  const Result<Given> settings = givenSettings(given);
  if (!settings) return settings.failure();
  Result<ReadConfiguration> read = readConfiguration(*settings, surroundings);
  if (!read) return std::move(read).failure();
  if (given.has("--print-config"))
    return printed(printedConfiguration(read->configuration, read->file));
  invocation->configuration = std::move(read->configuration);
  invocation->configurationFile = std::move(read->file);
  invocation->warnings = std::move(read->warnings);
  return invocation;
}

} // namespace

Result<Invocation> parseCommandLine(std::span<const std::string> arguments,
                                    const Surroundings &surroundings) {
  const CommandDescription program = programDescription();
  std::vector<std::string> serverCommand = takeServerCommand(arguments);
  const Result<ParsedArguments> parsed = parseArguments(program, arguments);
  if (!parsed) return parsed.failure();
  const std::string command = parsed->commands.empty() ? "" : parsed->commands.front();
  if (parsed->has("--help")) return printed(help(program, parsed->commands));
  if (parsed->has("--version")) return printed("skillhost " SKILLHOST_VERSION "\n");
  if (parsed->has("--example-config"))
    return printed(parsed->last("--example-config") == "markdown" ? configurationTable()
                                                                  : exampleConfiguration());
  if (parsed->has("--config-schema")) return printed(configurationSchema());
  if (command == "validate") return validate(*parsed, surroundings);
  if (command == "check") return checkInvocation(*parsed, surroundings);
  if (command == "try") return tryInvocation(*parsed, surroundings);
  if (command == "token") return tokenInvocation(*parsed, surroundings);
  if (command == "key" || (concernsStore(*parsed) && !needsConfiguration(*parsed)))
    return storeInvocation(*parsed, surroundings);
  if (command == "connect") return connectInvocation(*parsed, surroundings);
  if (command == "generate")
    return generateInvocation(*parsed, std::move(serverCommand), surroundings);
  if (command == "client-config") return clientConfig(*parsed, surroundings);
  if (command != "completion") return configured(*parsed, surroundings);
  if (!parsed->has("SHELL"))
    return refusedArguments(parsed->commands, "name the shell: bash, zsh or fish");
  return printed(completion(program, parsed->last("SHELL")));
}

} // namespace skillhost::app
