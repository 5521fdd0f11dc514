// SPDX-License-Identifier: Apache-2.0
// skillhost-catalogue: skillhost executes this program for each command that takes the server's
// options, and for `skill new`. Most of them start the parts of a host that find out what a server
// would serve.
#include "access.hpp"
#include "app/command_line.hpp"
#include "app/log_configuration.hpp"
#include "bom.hpp"
#include "catalogue_description.hpp"
#include "catalogue_invocation.hpp"
#include "client_config.hpp"
#include "commandline/separate_program.hpp"
#include "commit.hpp"
#include "doctor.hpp"
#include "lock.hpp"
#include "own_sources.hpp"
#include "plugin/end_after_plugins.hpp"
#include "plugins.hpp"
#include "program.hpp"
#include "review.hpp"
#include "search.hpp"
#include "skills.hpp"
#include "sources.hpp"
#include "store_commands.hpp"
#include "usage.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace skillhost::app {
namespace {

using Command = CatalogueInvocation::Command;

int carryOut(const CatalogueInvocation &invocation, const Surroundings &surroundings) {
  const std::string &executable = surroundings.executable;
  switch (invocation.command) {
  case Command::Plugins:
    return showPlugins(invocation, executable);
  case Command::Search:
    return searchSkills(invocation, executable);
  case Command::SkillList:
    return listSkills(invocation, executable);
  case Command::SkillInfo:
    return showSkill(invocation, executable);
  case Command::NewSkill:
    return newSkill(invocation.newSkill);
  case Command::ClientConfig:
    return configureClient(invocation.client);
  case Command::Bom:
    return printBom(invocation, surroundings);
  case Command::SourceList:
    return listSources(invocation, executable);
  case Command::SourceStatus:
    return showSources(invocation, executable);
  case Command::SourceRefresh:
    return refreshSources(invocation, executable);
  case Command::Usage:
    return showUsage(invocation, executable);
  case Command::OwnSources:
    return keepOwnSources(invocation, executable);
  case Command::Doctor:
    return examine(invocation, surroundings);
  case Command::Review:
    return reviewSkills(invocation, executable);
  case Command::Lock:
    return lockSkills(invocation, executable);
  }
  return 1;
}

int work(const ParsedArguments &given, const Surroundings &surroundings) try {
  // These two write what they are told to, whatever the configuration is.
  const bool isWriting =
      given.commands.front() == "client-config" || given.commands.back() == "new";
  const auto printed = printedInstead(given, surroundings, !isWriting);
  if (!printed) return programs::refuse(printed.failure());
  if (*printed) return std::fputs((*printed)->c_str(), stdout) < 0 ? 1 : 0;
  const Result<CatalogueInvocation> invocation = catalogueInvocation(given, surroundings);
  if (!invocation) return programs::refuse(invocation.failure());
  const Logging logging(invocation->configuration.log, surroundings);
  for (const std::string &warning : invocation->warnings) log::warning("config", warning);
  for (const std::string &notice : invocation->notices) log::info("config", notice);
  return carryOut(*invocation, surroundings);
} catch (const ProviderRefused &why) {
  programs::refuse({{}, why.what()});
  return 2;
}

} // namespace
} // namespace skillhost::app

int main(int count, char **words) {
  using namespace skillhost;
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  // skillhost names itself in the place of this program's name: its plugins are found from there.
  const std::string executable = count > 0 ? words[0] : "";
  return endAfterPlugins(programs::run(
      arguments, app::catalogueDescription(),
      [&](const app::ParsedArguments &given, app::Surroundings surroundings) {
        surroundings.executable = executable;
        surroundings.commit = commitOfBuild();
        const bool listsSkills = given.commands.front() == "skill" && given.commands.size() > 1 &&
                                 given.commands[1] != "new";
        if (listsSkills && app::concernsStore(given))
          return app::runProgram({"store", "skill " + given.commands[1], arguments, {}},
                                 executable);
        return app::work(given, surroundings);
      }));
}
