// SPDX-License-Identifier: Apache-2.0
#include "generate_command.hpp"

#include "connection/connect_command.hpp"
#include "store_options.hpp"

#include <algorithm>
#include <utility>

namespace skillhost::app {

CommandDescription generateDescription(const ArgumentDescription &help,
                                       const ArgumentDescription &json, const char *group) {
  CommandDescription command{
      "generate",
      "Write a skill that documents an MCP server: its tools, resources and prompts.",
      false,
      {help,
       json,
       {{"--url"}, "URL", "The URL of the server, for Streamable HTTP.", group},
       {{"--output"}, "DIR", "The folder to write. Default: ./NAME.", group},
       {{"--force"},
        "",
        "Write into a folder that this command did not create, or that has changed since.",
        group},
       {{"--save-skill", "--save"}, "", "Put the skill into the store instead of a folder.", group},
       {{"--dry-run"}, "", "Print what would be written, and write nothing.", group},
       {{"--timeout"},
        "SECONDS",
        "How long the server may take for everything. Default: 30.",
        group}},
      {{{"NAME"}, "TEXT", "The skill's name: a-z, 0-9 and single hyphens."},
       {{"COMMAND"},
        "TEXT",
        "The command that starts the server on standard input and output, after \"--\".",
        "",
        false,
        true}}};
  for (ArgumentDescription &option : connectionOptions(group))
    command.options.push_back(std::move(option));
  for (ArgumentDescription &option : savingOptions()) command.options.push_back(std::move(option));
  command.position = 1600;
  return command;
}

std::span<const std::string> withoutServerCommand(std::span<const std::string> arguments) {
  if (arguments.empty() || arguments.front() != "generate") return arguments;
  const auto mark = std::find(arguments.begin(), arguments.end(), "--");
  return arguments.first(static_cast<std::size_t>(mark - arguments.begin()));
}

} // namespace skillhost::app
