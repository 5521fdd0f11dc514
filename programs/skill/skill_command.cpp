// SPDX-License-Identifier: Apache-2.0
#include "app/log_configuration.hpp"
#include "catalogue_command.hpp"
#include "known_configuration.hpp"
#include "new_skill.hpp"
#include "program.hpp"
#include "settings/paths.hpp"
#include "skills.hpp"
#include "store_options.hpp"

#include <string>
#include <vector>

namespace skillhost::app {
namespace {

int makeNewSkill(const ParsedArguments &arguments, const Surroundings &surroundings) {
  if (!arguments.has("NAME"))
    return programs::refuse(
        refusedArguments(arguments.commands, "name the skill, such as skill new pdf-forms"));
  const Logging logging({}, surroundings);
  return newSkill({arguments.last("NAME"),
                   absolutePath(arguments.has("--in") ? arguments.last("--in") : ".",
                                surroundings.workingDirectory, surroundings),
                   arguments.last("--description")});
}

int lookAtSkills(const ParsedArguments &arguments, const Surroundings &surroundings) {
  if (arguments.commands.size() < 2)
    return programs::refuse(
        refusedArguments(arguments.commands, "choose a command, such as skill list"));
  if (arguments.commands[1] == "new") return makeNewSkill(arguments, surroundings);
  const bool lists = arguments.commands[1] == "list";
  const std::string name = arguments.last("NAME");
  if (!lists && name.empty())
    return programs::refuse(refusedArguments(arguments.commands, "name the skill"));
  const Result<KnownConfiguration> known = knownConfiguration(arguments, surroundings);
  if (!known) return programs::refuse(known.failure());
  const CommandLog log(*known, surroundings);
  const bool json = arguments.has("--json");
  return lists ? listSkills(known->configuration, surroundings.executable, json)
               : showSkill(known->configuration, surroundings.executable, name, json);
}

// The program of the store lists the skills of a store.
std::string_view programOfSkills(const ParsedArguments &arguments) {
  return arguments.commands.size() > 1 && arguments.commands[1] != "new" && concernsStore(arguments)
             ? "store"
             : "";
}

CommandDescription skillDescription() {
  const ArgumentDescription help = helpOption();
  const ArgumentDescription json = jsonOption();
  std::vector<ArgumentDescription> options = storeOptions();
  options.insert(options.begin(), {help, json});
  CommandDescription list{
      "list", "List every skill with its description; with --skill-dir those of a store.", true,
      options};
  list.position = 100;
  CommandDescription info{"info",
                          "Show one skill: where it comes from, what it contains and who sees it; "
                          "with --skill-dir one of a store.",
                          true,
                          options,
                          {{{"NAME"}, "TEXT", "A name, or <source>/<path>."}}};
  info.position = 110;
  CommandDescription made{
      "new",
      "Make the folder of a new skill, with a SKILL.md to begin with.",
      false,
      {help,
       {{"--in"},
        "DIR",
        "The folder in which to create it. Default: the working directory.",
        generalOptions},
       {{"--description"}, "TEXT", "What the skill does, and when to use it.", generalOptions}},
      {{{"NAME"}, "TEXT", "Its name: a-z, 0-9 and single hyphens, at most 64 characters."}}};
  made.position = 120;
  CommandDescription command = programs::skillGroup({list, info, made});
  command.position = 400;
  return command;
}

} // namespace

CatalogueCommand skillCommand() {
  return {{skillDescription()}, lookAtSkills, "new", programOfSkills};
}

} // namespace skillhost::app
