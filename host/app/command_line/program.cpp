// SPDX-License-Identifier: Apache-2.0
#include "command_line/program.hpp"

// Every command and option there is.
#include "command_line/client_config_command.hpp"
#include "command_line/connect_command.hpp"
#include "command_line/generate_command.hpp"
#include "command_line/model_command.hpp"
#include "command_line/own_sources_command.hpp"
#include "command_line/plugin_commands.hpp"
#include "command_line/review_command.hpp"
#include "command_line/search_command.hpp"
#include "command_line/store_commands.hpp"
#include "command_line/token_commands.hpp"
#include "command_line/usage_command.hpp"
#include "command_line/validate_command.hpp"
#include "commandline/completion.hpp"
#include "configuration/keys.hpp"

#include <algorithm>
#include <iterator>

namespace skillhost::app {
namespace {

constexpr const char *general = generalOptions;
constexpr const char *printing = "Print and exit";
constexpr const char *settings = "Settings (they win over the environment and the file)";

const ArgumentDescription json = jsonOption();
const ArgumentDescription help = helpOption();

// What a key's option takes.
std::string valueName(const HostKey &key) {
  std::string words;
  for (const std::string_view choice : key.choices)
    words.append(words.empty() ? "" : "|").append(choice);
  if (!words.empty()) return words;
  if (key.shape == Shape::Flag) return {};
  if (key.rule.meaning == Meaning::Path) {
    for (const std::string_view file : {"lock", "certificate", "key", "log"})
      if (key.name.ends_with(file)) return "FILE";
    return "DIR";
  }
  if (key.name.ends_with("url")) return "URL";
  if (key.name == "http.listen") return "ADDRESS";
  if (key.rule.meaning == Meaning::Reference || key.rule.meaning == Meaning::Secret) return "TEXT";
  if (key.rule.meaning == Meaning::Glob) return "GLOB";
  return key.shape == Shape::WholeNumber || key.shape == Shape::Number ? "N" : "NAME";
}

ArgumentDescription configurationOption() {
  return {{"-c", "--config"},
          "FILE",
          "Read this YAML or JSON file. Default: SKILLHOST_CONFIG, else skillhost/skillhost.yaml "
          "in $XDG_CONFIG_HOME or ~/.config when it is there.",
          general};
}

std::vector<ArgumentDescription> hostOptions() {
  std::vector<ArgumentDescription> options{
      help,
      configurationOption(),
      {{"--no-config"}, "", "Read no configuration file.", general},
      {{"--set"},
       "KEY=VALUE",
       "Set any key of the configuration, the value as in its environment variable.",
       general,
       false,
       true},
      {{"-v", "--verbose"}, "", "The same as --log-level DEBUG.", general},
      {{"--hidden"}, "", "Also look into hidden folders below those of --skills-dir.", general},
      {{"--watch"},
       "auto|inotify|poll|off",
       "How changes below the folders of --skills-dir are noticed.",
       general},
      {{"-V", "--version"},
       "",
       "Print the version, and the commit that the program was built from.",
       printing},
      {{"--example-config"},
       "yaml|json|markdown",
       "Print every key with its default and, but for json, its meaning.",
       printing,
       true},
      {{"--config-schema"}, "", "Print the JSON Schema of the configuration.", printing},
      {{"--print-config"},
       "",
       "Print the configuration in effect, secrets masked, as a file to start from.",
       printing},
  };
  for (const HostKey &key : hostKeys())
    if (!key.option.empty())
      options.push_back({{std::string(key.option)},
                         valueName(key),
                         std::string(key.help),
                         settings,
                         false,
                         key.shape == Shape::TextList});
  return options;
}

CommandDescription skill() {
  CommandDescription command{
      "skill", "Look at the skills that would be served, and at a store of skills.", true, {help}};
  const auto withStore = [](std::vector<ArgumentDescription> options) {
    for (ArgumentDescription &option : storeOptions()) options.push_back(std::move(option));
    return options;
  };
  command.commands = {
      {"list", "List every skill with its description; with --skill-dir those of a store.", true,
       withStore({help, json})},
      {"info",
       "Show one skill: where it comes from, what it holds, who sees it; with --skill-dir one of a "
       "store.",
       true,
       withStore({help, json}),
       {{{"NAME"}, "TEXT", "A name, or <source>/<path>."}}},
  };
  command.commands.push_back(
      {"new",
       "Make the folder of a new skill, with a SKILL.md to begin with.",
       false,
       {help,
        {{"--in"}, "DIR", "The folder to make it in. Default: this one.", general},
        {{"--description"}, "TEXT", "What it does, and when to use it.", general}},
       {{{"NAME"}, "TEXT", "Its name: a-z, 0-9 and single hyphens, at most 64 characters."}}});
  command.commands.push_back(validateDescription(help, json));
  for (CommandDescription &one : storeDescriptions(help, json))
    command.commands.push_back(std::move(one));
  return command;
}

CommandDescription sources() {
  const ArgumentDescription names{{"NAME"}, "TEXT", "Names of sources. Default: all.",
                                  "",       false,  true};
  CommandDescription command{"source", "Look at where skills come from.", true, {help}};
  command.commands = {
      {"list", "List every source, its state and how many skills it has.", true, {help, json}},
      {"status",
       "Show the state, revision and last failure of sources; exit code 1 when one failed.",
       true,
       {help, json},
       {names}},
      {"refresh",
       "Ask sources for what is newest, and show the same.",
       true,
       {help, json},
       {names}},
  };
  return command;
}

CommandDescription bom() {
  return {"bom",
          "Print a bill of the materials that are served: every skill with version, licence, "
          "origin and digest, and the plugins; exit code 1 when something is missing in it.",
          true,
          {help,
           {{"--json"}, "", "Print a CycloneDX 1.6 document.", general},
           {{"--files"}, "", "With --json: name every file of the skills too.", general}}};
}

// The program skillhost-catalogue carries out the commands that take the options of the server.
CommandDescription ofCatalogue(CommandDescription command) {
  command.program = "catalogue";
  return command;
}

CommandDescription lock() {
  return {"lock",
          "Write down what every source serves now, for --locked.",
          true,
          {help,
           {{"--file"}, "FILE", "The lock, in place of that of --skills-lock.", general},
           {{"--check"},
            "",
            "Write nothing: list what differs from the lock; exit code 1 when something does.",
            general}}};
}

} // namespace

CommandDescription programDescription() {
  CommandDescription program{"skillhost", "A server of Agent Skills for MCP clients.", false,
                             hostOptions()};
  program.commands = {
      {"serve",
       "Serve skills (the default): to one client on stdin and stdout, or with --transport http "
       "to many.",
       true,
       {help}},
      validateDescription(help, json),
      ofCatalogue({"plugins",
                   "List the plugins found, their state and why.",
                   true,
                   {help,
                    json,
                    {{"--write-lock"},
                     "FILE",
                     "Write the digests of the usable ones to FILE, for --plugins-lock.",
                     general}}}),
      ofCatalogue(searchDescription(help, json, general)),
      ofCatalogue(skill()),
      ofCatalogue(sources()),
      ofCatalogue(usageDescription(help, json, general)),
      ofCatalogue({"doctor",
                   "Look at the configuration, the sources, the kernel and the clients, and say "
                   "what is wrong and what to do; exit code 1 when something is.",
                   true,
                   {help, json}}),
      ofCatalogue(lock()),
      ofCatalogue(reviewDescription(help, json, general)),
      ofCatalogue(bom()),
      checkDescription(help, json),
      tryDescription(help),
      tokenDescription(),
      keyDescription(help),
      connectDescription(help, general),
      loginDescription(help, general),
      logoutDescription(help, general),
      healthDescription(help, general),
      generateDescription(help, json, general),
      ofCatalogue(clientConfigDescription(help)),
      modelDescription(help, json),
      {"completion",
       "Print a shell's completion script.",
       false,
       {help},
       {{{"SHELL"}, std::string(shellChoices), "The shell."}}},
  };
  // Before `source`, which looks closer.
  const auto place = std::find_if(program.commands.begin(), program.commands.end(),
                                  [](const auto &one) { return one.name == "source"; });
  std::vector<CommandDescription> own = ownSourcesDescriptions(help, json, configurationOption());
  std::transform(own.begin(), own.end(), std::inserter(program.commands, place), ofCatalogue);
  return program;
}

} // namespace skillhost::app
