// SPDX-License-Identifier: Apache-2.0
#include "own_sources_options.hpp"

#include "command_line/given.hpp"

namespace skillhost::app {

Result<OwnSourcesInvocation> ownSourcesInvocation(const ParsedArguments &given,
                                                  const Surroundings &surroundings) {
  using Action = OwnSourcesInvocation::Action;
  const std::string &command = given.commands.front();
  OwnSourcesInvocation own;
  own.action = command == "add"      ? Action::Add
               : command == "remove" ? Action::Remove
               : command == "update" ? Action::Update
                                     : Action::List;
  const char *const words = own.action == Action::Add ? "WHAT" : "NAME";
  if (given.has(words)) own.words = given.values.at(words);
  if (own.action == Action::Add && own.words.empty())
    return refusedArguments(given.commands, "say what to add, such as anthropics/skills, "
                                            "https://git.example.org/a/b.git or ./skills");
  if (own.action == Action::Remove && own.words.empty())
    return refusedArguments(given.commands, "name the source; skillhost list names all");
  const Result<Given> settings = givenSettings(given);
  if (!settings) return settings.failure();
  own.file = configurationFile(*settings, surroundings);
  if (own.file.empty())
    return refusedArguments(given.commands,
                            "name the file: --config FILE (HOME is not set, or no absolute path)");
  own.workingDirectory = surroundings.workingDirectory;
  own.home = surroundings.variable("HOME");
  own.name = given.last("--name");
  own.plugin = given.last("--plugin");
  own.tokenVariable = given.last("--token-env");
  own.hidden = given.has("--hidden");
  own.lookAtIt = !given.has("--no-check");
  own.json = given.has("--json");
  return own;
}

} // namespace skillhost::app
