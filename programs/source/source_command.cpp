// SPDX-License-Identifier: Apache-2.0
// skillhost source list | status | refresh shows the sources of skills and their states.
#include "catalogue_command.hpp"
#include "known_configuration.hpp"
#include "program.hpp"
#include "sources.hpp"

namespace skillhost::app {
namespace {

int lookAtSources(const ParsedArguments &arguments, const Surroundings &surroundings) {
  if (arguments.commands.size() < 2)
    return programs::refuse(refusedArguments(
        arguments.commands, "choose a command: source list, source status or source refresh"));
  // The command shows the warnings of sources itself.
  const Result<KnownConfiguration> known =
      knownConfiguration(arguments, surroundings, {.log = LogLevel::Error});
  if (!known) return programs::refuse(known.failure());
  const CommandLog log(*known, surroundings);
  const bool json = arguments.has("--json");
  if (arguments.commands[1] == "list")
    return listSources(known->configuration, surroundings.executable, json);
  WantedSources wanted{{}, json};
  if (arguments.has("NAME")) wanted.names = arguments.values.at("NAME");
  return refreshSources(known->configuration, surroundings.executable, wanted);
}

CommandDescription sourceDescription() {
  const ArgumentDescription help = helpOption();
  const ArgumentDescription json = jsonOption();
  const ArgumentDescription names{{"NAME"}, "TEXT", "Names of sources. Default: all.",
                                  "",       false,  true};
  CommandDescription command{"source", "Show and refresh the sources of skills.", true, {help}};
  command.position = 600;
  command.commands = {
      {"list", "List every source, its state and how many skills it has.", true, {help, json}},
      {"status",
       "Show the state, revision and last failure of sources; exit code 1 if one failed.",
       true,
       {help, json},
       {names}},
      {"refresh", "Refresh sources, and show the same.", true, {help, json}, {names}},
  };
  return command;
}

} // namespace

CatalogueCommand sourceCommand() { return {{sourceDescription()}, lookAtSources}; }

} // namespace skillhost::app
