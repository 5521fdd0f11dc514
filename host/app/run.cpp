// SPDX-License-Identifier: Apache-2.0
#include "app/run.hpp"

#include "access.hpp"
#include "app/command_line.hpp"
#include "app/process.hpp"
#include "base/log.hpp"
#include "beneath/top_link.hpp"
#include "commands/bom/bom.hpp"
#include "commands/clients/client_config.hpp"
#include "commands/doctor/doctor.hpp"
#include "commands/lock.hpp"
#include "commands/new_skill.hpp"
#include "commands/own_sources/own_sources.hpp"
#include "commands/plugins.hpp"
#include "commands/review/review.hpp"
#include "commands/search.hpp"
#include "commands/separate_program.hpp"
#include "commands/skills.hpp"
#include "commands/sources.hpp"
#include "commands/usage.hpp"
#include "commands/validate.hpp"
#include "ground/shown.hpp"
#include "plugin/roles.hpp"
#include "serve.hpp"
#include "serve_http.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::app {
namespace {

int validate(const Invocation &invocation, const Surroundings &surroundings) {
  const std::vector<std::string> linkTargets = beneath::usualLinkTargets(
      surroundings.variable("HOME")); // as the plugin filesystem by default
  const ValidationReport report = validatePaths(
      invocation.paths, invocation.skillRules, invocation.form, surroundings.workingDirectory,
      invocation.hidden ? HiddenFolders::LookInto : HiddenFolders::PassOver, linkTargets);
  if (invocation.form != ReportForm::Text)
    printJsonText(stdout, report.text);
  else
    printShown(stdout, "%s", report.text.c_str());
  return report.fails(invocation.failOn) ? 1 : 0;
}

int dispatch(const Invocation &invocation, const std::vector<std::string> &arguments,
             const Surroundings &surroundings) {
  const std::string &self = surroundings.executable;
  switch (invocation.command) {
  case Invocation::Command::Serve:
    return invocation.configuration.transport == Transport::Http
               ? serveHttp(invocation.configuration, self, invocation.configurationFile,
                           [&] { return parseCommandLine(arguments, surroundings); })
               : serve(invocation.configuration, self);
  case Invocation::Command::Validate:
    return validate(invocation, surroundings);
  case Invocation::Command::Plugins:
    return showPlugins(invocation, self);
  case Invocation::Command::Search:
    return searchSkills(invocation, self);
  case Invocation::Command::SkillList:
    return listSkills(invocation, self);
  case Invocation::Command::SkillInfo:
    return showSkill(invocation, self);
  case Invocation::Command::Bom:
    return printBom(invocation, surroundings);
  case Invocation::Command::SourceList:
    return listSources(invocation, self);
  case Invocation::Command::SourceStatus:
    return showSources(invocation, self);
  case Invocation::Command::SourceRefresh:
    return refreshSources(invocation, self);
  case Invocation::Command::Usage:
    return showUsage(invocation, self);
  case Invocation::Command::ClientConfig:
    return configureClient(invocation.client);
  case Invocation::Command::OwnSources:
    return keepOwnSources(invocation, self);
  case Invocation::Command::Doctor:
    return examine(invocation, surroundings);
  case Invocation::Command::NewSkill:
    return newSkill(invocation.newSkill);
  case Invocation::Command::Review:
    return reviewSkills(invocation, self);
  case Invocation::Command::Lock:
    return lockSkills(invocation, self);
  case Invocation::Command::Program: // run() does that
  case Invocation::Command::Print:
    break;
  }
  if (!invocation.note.empty()) printShown(stderr, "%s\n", invocation.note.c_str());
  std::fputs(invocation.text.c_str(), stdout);
  return 0;
}

} // namespace

int run(const std::vector<std::string> &arguments, const std::string &commit) try {
  if (const auto code = playPluginRole(arguments)) return *code;
  Surroundings surroundings = Surroundings::ofThisProcess();
  surroundings.commit = commit;
  const Result<Invocation> invocation = parseCommandLine(arguments, surroundings);
  if (!invocation) {
    printShown(stderr, "skillhost: %s\n", invocation.failure().message.c_str());
    return 1;
  }
  // Before there are threads: what is executed gets this process as it was started.
  if (invocation->command == Invocation::Command::Program)
    return runProgram(invocation->program, surroundings.executable);
  const int code = [&] {
    const Logging logging(invocation->configuration.log, surroundings);
    for (const std::string &warning : invocation->warnings) log::warning("config", warning);
    for (const std::string &notice : invocation->notices) log::info("config", notice);
    const int done = dispatch(*invocation, arguments, surroundings);
    // What plugins print while a server runs is nothing of ours.
    return invocation->command == Invocation::Command::Serve ? done : withAllPrinted(done);
  }();
  return endAfterPlugins(code);
} catch (const ProviderRefused &why) {
  printShown(stderr, "skillhost: %s\n", why.what());
  return 2;
} catch (const std::bad_alloc &) {
  std::fputs("skillhost: there is not enough memory\n", stderr); // takes none
  return 1;
} catch (const std::exception &why) {
  printShown(stderr, "skillhost: %s\n", reasonOf(why).c_str());
  return 1;
}

} // namespace skillhost::app
