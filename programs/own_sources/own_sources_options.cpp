// SPDX-License-Identifier: Apache-2.0
#include "own_sources_options.hpp"

#include "command_line/given.hpp"
#include "command_line/program.hpp"

#include <algorithm>

namespace skillhost::app {

std::vector<CommandDescription> ownSourcesDescriptions() {
  const ArgumentDescription help = helpOption();
  const ArgumentDescription json = jsonOption();
  const ArgumentDescription config = configurationOption();
  const char *const group = "The new source";
  std::vector<CommandDescription> commands{
      {"add",
       "Add a source of skills to your configuration file, after checking that it answers.",
       false,
       {help,
        config,
        {{"--name"}, "NAME", "The name of the source. Default: made from what you add.", group},
        {{"--token-env"},
         "NAME",
         "The environment variable that holds the token of a private repository or server.",
         group},
        {{"--plugin"},
         "github|well_known|filesystem",
         "The kind of source, if the word does not show it: a git repository, a web server's "
         "index, a folder.",
         group},
        {{"--hidden"},
         "",
         "Also search its folders whose names begin with a dot, such as .claude/skills.",
         group},
        {{"--no-check"}, "", "Add the source without checking it.", group}},
       {{{"WHAT"},
         "PATH",
         "OWNER/REPO[/folder][@ref] of GitHub, the URL of a repository, of a page of it or of a "
         "web server, or a folder."}}},
      {"remove",
       "Remove sources from your configuration file.",
       false,
       {help, config},
       {{{"NAME"}, "TEXT", "Names of sources, or folders of skills_dirs.", "", false, true}}},
      {"update",
       "Refresh sources; NAME@REF first changes to another branch, tag or commit.",
       false,
       {help, json, config},
       {{{"NAME"}, "TEXT", "Names of sources. Default: all.", "", false, true}}},
      {"list", "List the sources and where each comes from.", false, {help, json, config}}};
  int position = 500;
  for (CommandDescription &command : commands) {
    command.position = position;
    position += 10;
  }
  return commands;
}

Result<OwnSourcesInvocation> ownSourcesInvocation(const ParsedArguments &arguments,
                                                  const Surroundings &surroundings) {
  using Action = OwnSourcesInvocation::Action;
  const std::string &command = arguments.commands.front();
  OwnSourcesInvocation own;
  own.action = command == "add"      ? Action::Add
               : command == "remove" ? Action::Remove
               : command == "update" ? Action::Update
                                     : Action::List;
  const char *const words = own.action == Action::Add ? "WHAT" : "NAME";
  if (arguments.has(words)) own.words = arguments.values.at(words);
  if (own.action == Action::Add && own.words.empty())
    return refusedArguments(
        arguments.commands,
        "name what to add, such as anthropics/skills, https://git.example.org/a/b.git or ./skills");
  if (own.action == Action::Remove && own.words.empty())
    return refusedArguments(arguments.commands, "name the source; skillhost list names all");
  // An empty folder would mean the working directory.
  if (std::find(own.words.begin(), own.words.end(), "") != own.words.end())
    return refusedArguments(arguments.commands, std::string(words) + ": \"\" must not be empty");
  const Result<CommandLineSettings> settings = givenSettings(arguments);
  if (!settings) return settings.failure();
  own.file = configurationFile(*settings, surroundings);
  if (own.file.empty())
    return refusedArguments(arguments.commands,
                            "name the file: --config FILE (HOME is not set, or no absolute path)");
  own.workingDirectory = surroundings.workingDirectory;
  own.home = surroundings.variable("HOME");
  own.name = arguments.last("--name");
  own.plugin = arguments.last("--plugin");
  own.tokenVariable = arguments.last("--token-env");
  own.hidden = arguments.has("--hidden");
  own.triesSource = !arguments.has("--no-check");
  own.json = arguments.has("--json");
  return own;
}

} // namespace skillhost::app
