// SPDX-License-Identifier: Apache-2.0
#include "command_line/program.hpp"

#include "commandline/completion.hpp"
#include "configuration/keys.hpp"
#include "settings/absent_features.hpp"

#include <utility>

namespace skillhost::app {
namespace {

constexpr const char *general = generalOptions;
constexpr const char *printing = "Print and exit";
constexpr const char *settings = "Settings (they win over the environment and the file)";

// Returns the name of the value of a key's option.
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

std::vector<ArgumentDescription> hostOptions() {
  std::vector<ArgumentDescription> options{
      helpOption(),
      configurationOption(),
      {{"--no-config"}, "", "Read no configuration file.", general},
      {{"--set"},
       "KEY=VALUE",
       "Set any key of the configuration; write the value as in its environment variable.",
       general,
       false,
       true},
      {{"-v", "--verbose"}, "", "The same as --log-level DEBUG.", general},
      {{"--hidden"}, "", "Also search hidden folders below those of --skills-dir.", general},
      {{"--watch"},
       "auto|inotify|poll|off",
       "How the server notices changes below the folders of --skills-dir.",
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
       "Print the effective configuration as a file to start from, with masked secrets.",
       printing},
  };
  for (const HostKey &key : hostKeys())
    if (!key.option.empty())
      options.push_back({{std::string(key.option)},
                         valueName(key),
                         std::string(key.help),
                         settings,
                         false,
                         key.shape == Shape::TextList,
                         key.rule.minimum == 0});
  return options;
}

} // namespace

ArgumentDescription configurationOption() {
  return {{"-c", "--config"},
          "FILE",
          "Read this YAML or JSON file. Default: SKILLHOST_CONFIG, else skillhost/skillhost.yaml "
          "in $XDG_CONFIG_HOME or ~/.config when it is there.",
          general};
}

CommandDescription serverWith(std::vector<CommandDescription> commands) {
  CommandDescription program{"skillhost", "A server of Agent Skills for MCP clients.",
                             false,       hostOptions(),
                             {},          std::move(commands)};
  program.absentOptions = settings::absentOptions();
  return program;
}

CommandDescription programDescription() {
  CommandDescription serve{
      "serve",
      "Serve skills (the default): to one client on stdin and stdout, or with --transport http "
      "to many.",
      true,
      {helpOption()}};
  serve.position = 0;
  CommandDescription completion{"completion",
                                "Print a shell's completion script.",
                                false,
                                {helpOption()},
                                {{{"SHELL"}, std::string(shellChoices), "The shell."}}};
  completion.position = 9'000;
  return serverWith({std::move(serve), std::move(completion)});
}

} // namespace skillhost::app
