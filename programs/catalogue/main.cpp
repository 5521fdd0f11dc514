// SPDX-License-Identifier: Apache-2.0
// The program skillhost-catalogue, which skillhost executes for each command with options of the
// server, and for `skill new`. Most of them load the sources as a server
// would.
#include "access.hpp"
#include "app/command_line.hpp"
#include "app/host_features.hpp"
#include "catalogue_command.hpp"
#include "commandline/separate_program.hpp"
#include "commit.hpp"
#include "plugin/end_after_plugins.hpp"
#include "program.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace skillhost::app {
namespace {

CatalogueCommand commandNamed(const std::string &name) {
  for (CatalogueCommand &command : catalogueCommands())
    for (const CommandDescription &one : command.descriptions)
      if (one.name == name) return std::move(command);
  throw std::logic_error("no folder has the command " + name);
}

int runCommand(const CatalogueCommand &command, const ParsedArguments &parsed,
               const Surroundings &surroundings) try {
  const auto text =
      textToPrint(parsed, surroundings, parsed.commands.back() != command.withoutConfiguration);
  if (!text) return programs::refuse(text.failure());
  if (*text) return std::fputs((*text)->c_str(), stdout) < 0 ? 1 : 0;
  return command.carryOut(parsed, surroundings);
} catch (const ProviderRefused &why) {
  programs::refuse({{}, why.what()});
  return 2;
}

} // namespace
} // namespace skillhost::app

int main(int count, char **words) {
  using namespace skillhost;
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  // words[0] is the path of skillhost itself, from which the folders of plugins are found.
  const std::string executable = count > 0 ? words[0] : "";
  return endAfterPlugins(programs::run(
      arguments, app::catalogueDescription(),
      [&](const app::ParsedArguments &parsed, app::Surroundings surroundings) {
        surroundings.executable = executable;
        surroundings.commit = commitOfBuild();
        surroundings.featureTools = app::toolsOf(app::builtForHosts().filters);
        const app::CatalogueCommand command = app::commandNamed(parsed.commands.front());
        const std::string_view other = command.handsOnTo ? command.handsOnTo(parsed) : "";
        if (!other.empty())
          return app::runProgram(
              {std::string(other), app::joined(parsed.commands, " "), arguments, {}}, executable);
        return app::runCommand(command, parsed, surroundings);
      }));
}
