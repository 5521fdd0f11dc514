// SPDX-License-Identifier: Apache-2.0
#include "catalogue_invocation.hpp"

#include "client_config_options.hpp"
#include "command_line/given.hpp"
#include "configuration/paths.hpp"
#include "ground/time_reading.hpp"
#include "own_sources_options.hpp"
#include "review_options.hpp"
#include "search_options.hpp"
#include "usage_options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace skillhost::app {
namespace {

using Command = CatalogueInvocation::Command;

bool concernsOwnSources(const std::string &command) {
  return command == "add" || command == "remove" || command == "update" || command == "list";
}

Result<CatalogueInvocation> makeNewSkill(const ParsedArguments &given,
                                         const Surroundings &surroundings) {
  if (!given.has("NAME"))
    return refusedArguments(given.commands, "name the skill, such as skill new pdf-forms");
  CatalogueInvocation invocation;
  invocation.command = Command::NewSkill;
  invocation.newSkill = {given.last("NAME"),
                         absolutePath(given.has("--in") ? given.last("--in") : ".",
                                      surroundings.workingDirectory, surroundings),
                         given.last("--description")};
  return invocation;
}

// The command and its own arguments, without the configuration.
Result<CatalogueInvocation> chosen(const ParsedArguments &given, const Surroundings &surroundings) {
  CatalogueInvocation invocation;
  invocation.json = given.has("--json");
  constexpr std::array carriedOut{"add",   "bom",     "client-config", "doctor", "list",
                                  "lock",  "plugins", "remove",        "review", "search",
                                  "skill", "source",  "update",        "usage"};
  const std::string command = given.commands.empty() ? "" : given.commands.front();
  if (std::find(carriedOut.begin(), carriedOut.end(), command) == carriedOut.end())
    return refusedArguments(given.commands, "skillhost carries this out by another program");
  if (concernsOwnSources(command)) {
    Result<OwnSourcesInvocation> own = ownSourcesInvocation(given, surroundings);
    if (!own) return std::move(own).failure();
    invocation.command = Command::OwnSources;
    invocation.ownSources = *std::move(own);
  }
  if (command == "client-config") {
    Result<ClientInvocation> client = clientConfigInvocation(given, surroundings);
    if (!client) return std::move(client).failure();
    invocation.command = Command::ClientConfig;
    invocation.client = *std::move(client);
  }
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
  if (given.commands[1] == "new") return makeNewSkill(given, surroundings);
  invocation.command = given.commands[1] == "list" ? Command::SkillList : Command::SkillInfo;
  invocation.skill = given.last("NAME");
  if (invocation.command == Command::SkillInfo && invocation.skill.empty())
    return refusedArguments(given.commands, "name the skill");
  return invocation;
}

} // namespace

Result<CatalogueInvocation> catalogueInvocation(const ParsedArguments &given,
                                                const Surroundings &surroundings) {
  Result<CatalogueInvocation> invocation = chosen(given, surroundings);
  if (!invocation || invocation->command == Command::NewSkill ||
      invocation->command == Command::ClientConfig)
    return invocation;
  const bool own = invocation->command == Command::OwnSources;
  Result<Given> settings = givenSettings(given);
  if (!settings) return settings.failure();
  // The first source makes the file.
  std::error_code unknown;
  if (own && !std::filesystem::exists(invocation->ownSources.file, unknown))
    settings->noFile = true;
  // Only `update` asks the sources. For the other commands a token may be set in another shell.
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
  const bool showsWarnings = invocation->command == Command::SourceList ||
                             invocation->command == Command::SourceStatus ||
                             invocation->command == Command::SourceRefresh;
  quieten(*read, own || examined || showsWarnings ? LogLevel::Error : LogLevel::Warning);
  invocation->configuration = std::move(read->configuration);
  invocation->configurationFile = std::move(read->file);
  invocation->warnings = std::move(read->warnings);
  invocation->notices = std::move(read->notices);
  return invocation;
}

} // namespace skillhost::app
