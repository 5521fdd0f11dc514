// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.hpp"

#include "base/fault.hpp"
#include "command_line/client_config_command.hpp"
#include "command_line/generate_command.hpp"
#include "command_line/given.hpp"
#include "command_line/own_sources_command.hpp"
#include "command_line/program.hpp"
#include "command_line/review_command.hpp"
#include "command_line/search_command.hpp"
#include "command_line/store_commands.hpp"
#include "command_line/usage_command.hpp"
#include "commandline/completion.hpp"
#include "commandline/help.hpp"
#include "configuration/describe.hpp"
#include "configuration/paths.hpp"
#include "configuration/values.hpp"
#include "ground/time_reading.hpp"
#include "version_text.hpp"

#include <algorithm>
#include <filesystem>
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

Invocation ofProgram(std::string name, std::span<const std::string> arguments) {
  Invocation invocation;
  invocation.command = Command::Program;
  invocation.program = {std::move(name), {arguments.begin(), arguments.end()}};
  return invocation;
}

std::string completion(const CommandDescription &program, const std::string &shell) {
  if (shell == "bash") return bashCompletion(program);
  return shell == "zsh" ? zshCompletion(program) : fishCompletion(program);
}

// The name of the program of its own that carries out this command; empty: this one does.
std::string programOf(const CommandDescription &program, const std::string &command) {
  for (const CommandDescription &one : program.commands)
    if (one.name == command) return one.program;
  return {};
}

Result<Invocation> validate(const ParsedArguments &given, const Surroundings &surroundings) {
  if (!given.has("PATH"))
    return refusedArguments(
        given.commands, "name what to check: a SKILL.md, a skill's folder, or a tree of skills");
  Invocation invocation;
  invocation.command = Command::Validate;
  const bool isStrict = given.has("--strict") && given.last("--strict") == "true";
  if (given.has("--skill-rules")) { // the parser lets no other value pass
    const auto &names = Names<Strictness>::all;
    const auto named = std::find(names.begin(), names.end(), given.last("--skill-rules"));
    invocation.skillRules = static_cast<Strictness>(named - names.begin());
    if (isStrict && invocation.skillRules != Strictness::Strict)
      return refusedArguments(given.commands, "--strict or --skill-rules, not both");
  }
  if (isStrict) invocation.skillRules = Strictness::Strict;
  invocation.hidden = given.has("--hidden");
  if (given.has("--json") && given.has("--sarif"))
    return refusedArguments(given.commands, "--json or --sarif, not both");
  if (given.has("--json")) invocation.form = ReportForm::Json;
  if (given.has("--sarif")) invocation.form = ReportForm::Sarif;
  if (given.has("--fail-on")) { // the parser lets no other value pass
    const std::string &level = given.last("--fail-on");
    invocation.failOn = level == "never"     ? FailOn::Never
                        : level == "advice"  ? FailOn::Advice
                        : level == "warning" ? FailOn::Warning
                                             : FailOn::Error;
  }
  for (const std::string &path : given.values.at("PATH"))
    invocation.paths.push_back(absolutePath(path, surroundings.workingDirectory, surroundings));
  return invocation;
}

Result<Invocation> makeNewSkill(const ParsedArguments &given, const Surroundings &surroundings) {
  if (!given.has("NAME"))
    return refusedArguments(given.commands, "name the skill, such as skill new pdf-forms");
  Invocation invocation;
  invocation.command = Command::NewSkill;
  invocation.newSkill = {given.last("NAME"),
                         absolutePath(given.has("--in") ? given.last("--in") : ".",
                                      surroundings.workingDirectory, surroundings),
                         given.last("--description")};
  return invocation;
}

// The command and its own arguments, without the configuration.
Result<Invocation> chosen(const ParsedArguments &given, const Surroundings &surroundings) {
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
  if (command == "review") {
    Result<ReviewInvocation> review = reviewInvocation(given, surroundings);
    if (!review) return std::move(review).failure();
    invocation.command = Command::Review;
    invocation.review = *std::move(review);
  }
  if (command == "search") {
    Result<SearchInvocation> search = searchInvocation(given, surroundings);
    if (!search) return std::move(search).failure();
    invocation.command = Command::Search;
    invocation.search = *std::move(search);
  }
  if (command == "usage") {
    Result<UsageInvocation> usage = usageInvocation(given, millisecondsNow());
    if (!usage) return std::move(usage).failure();
    invocation.command = Command::Usage;
    invocation.usage = *usage;
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
  if (command == "bom") {
    invocation.command = Command::Bom;
    invocation.bomFiles = given.has("--files");
    if (invocation.bomFiles && !invocation.json)
      return refusedArguments(given.commands, "--files is for the document that --json prints");
  }
  if (command == "doctor") {
    invocation.command = Command::Doctor;
    invocation.doctor.json = given.has("--json");
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

Result<Invocation> configured(const ParsedArguments &given, const Surroundings &surroundings) {
  const bool own = concernsOwnSources(given);
  const bool prints = given.has("--print-config");
  Result<Invocation> invocation = prints ? Invocation{}
                                  : own  ? ownSourcesInvocation(given, surroundings)
                                         : chosen(given, surroundings);
  if (!invocation) return invocation;
  Result<Given> settings = givenSettings(given);
  if (!settings) return settings.failure();
  // The first source makes the file.
  std::error_code unknown;
  if (own && !std::filesystem::exists(invocation->ownSources.file, unknown))
    settings->noFile = true;
  // Who keeps the list asks none of its sources, but for update: a token may be another shell's.
  using Action = OwnSourcesInvocation::Action;
  const Action action = invocation->ownSources.action;
  settings->resolveReferences = !own || action == Action::Update;
  settings->checkNames = !own;
  Result<ReadConfiguration> read = readConfiguration(*settings, surroundings);
  const bool examined = invocation->command == Command::Doctor;
  if (!read && (examined || (own && (action == Action::List || action == Action::Remove)))) {
    (examined ? invocation->doctor.problems : invocation->ownSources.problems) =
        read.failure().message;
    invocation->configuration.log.level = LogLevel::Error;
    return invocation;
  }
  if (!read) return std::move(read).failure();
  if (invocation->command == Command::Search)
    if (Status taken = takeEvaluation(given, *settings, surroundings, *read, invocation->search);
        !taken)
      return std::move(taken).failure();
  if (!prints && invocation->command == Command::Serve)
    if (Status fits = checkTransport(*settings, *read); !fits) return std::move(fits).failure();
  if (prints) return printed(printedConfiguration(read->configuration, read->file));
  const bool showsWarnings = invocation->command == Command::SourceList ||
                             invocation->command == Command::SourceStatus ||
                             invocation->command == Command::SourceRefresh;
  if (invocation->command != Command::Serve)
    quieten(*read, own || examined || showsWarnings ? LogLevel::Error : LogLevel::Warning);
  invocation->configuration = std::move(read->configuration);
  invocation->configurationFile = std::move(read->file);
  invocation->warnings = std::move(read->warnings);
  invocation->notices = std::move(read->notices);
  return invocation;
}

} // namespace

Result<Invocation> parseCommandLine(std::span<const std::string> arguments,
                                    const Surroundings &surroundings) {
  const CommandDescription program = programDescription();
  const Result<ParsedArguments> parsed = parseArguments(program, withoutServerCommand(arguments));
  if (!parsed) return parsed.failure();
  const std::string command = parsed->commands.empty() ? "" : parsed->commands.front();
  if (parsed->has("--help")) return printed(helpText(program, parsed->commands));
  if (parsed->has("--version")) return printed(versionText(surroundings) + '\n');
  if (parsed->has("--example-config")) {
    const std::string &form = parsed->last("--example-config");
    return printed(form == "markdown" ? configurationTable()
                   : form == "json"   ? exampleConfigurationAsJson()
                                      : exampleConfiguration());
  }
  if (parsed->has("--config-schema")) return printed(configurationSchema());
  const std::string ofSkill =
      command == "skill" && parsed->commands.size() > 1 ? parsed->commands[1] : "";
  if (command == "validate" || ofSkill == "validate") return validate(*parsed, surroundings);
  if (ofSkill == "new") return makeNewSkill(*parsed, surroundings);
  if (concernsStore(*parsed) && !parsed->has("--print-config"))
    return ofProgram("store", arguments);
  if (std::string separate = programOf(program, command); !separate.empty()) {
    if (arguments.front() != command)
      return refusedArguments({}, "the command " + command +
                                      " takes no options of the server: write `skillhost " +
                                      command + " …` without any before it");
    return ofProgram(std::move(separate), arguments);
  }
  if (command == "client-config") return clientConfigInvocation(*parsed, surroundings);
  if (command != "completion") return configured(*parsed, surroundings);
  if (!parsed->has("SHELL"))
    return refusedArguments(parsed->commands, "name the shell: bash, zsh or fish");
  return printed(completion(program, parsed->last("SHELL")));
}

} // namespace skillhost::app
