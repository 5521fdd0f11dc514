// SPDX-License-Identifier: Apache-2.0
#include "command_line/generate_command.hpp"

#include "base/fault.hpp"
#include "command_line/connect_command.hpp"
#include "command_line/store_commands.hpp"
#include "configuration/paths.hpp"
#include "skills/name_rules.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::uint32_t longestTimeout = 600;

// Empty, or what is wrong.
std::string readTimeout(const ParsedArguments &given, GenerateInvocation &generate) {
  if (!given.has("--timeout")) return {};
  const std::string text = given.last("--timeout");
  std::uint32_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  generate.timeout = std::chrono::seconds(seconds);
  if (error == std::errc{} && end == text.data() + text.size() && seconds >= 1 &&
      seconds <= longestTimeout)
    return {};
  return "--timeout: expected a whole number of seconds from 1 to 600, found \"" + text + '"';
}

std::string whatIsWrong(const ParsedArguments &given, const GenerateInvocation &generate) {
  if (generate.name.empty())
    return "name the skill and the server: skillhost generate NAME -- COMMAND";
  if (const std::string_view rule = brokenNameRule(generate.name); !rule.empty())
    return '"' + generate.name + "\" is no name for a skill: " + std::string(rule);
  if (generate.command.empty() != given.has("--url"))
    return "say where the server is: either -- COMMAND starts it, or --url URL leads to it";
  if (given.has("--save") && (given.has("--output") || given.has("--force")))
    return "--save writes to the store: --output and --force are for a folder";
  for (const char *option : {"--skill-dir", "--store-key", "--keep", "--zstd"})
    if (!given.has("--save") && given.has(option))
      return std::string(option) + " is about the store: give --save too";
  return {};
}

} // namespace

CommandDescription generateDescription(const ArgumentDescription &help,
                                       const ArgumentDescription &json, const char *group) {
  CommandDescription command{
      "generate",
      "Write a skill that documents an MCP server: its tools, resources and prompts.",
      false,
      {help,
       json,
       {{"--url"}, "URL", "The server answers there, over Streamable HTTP.", group},
       {{"--output"}, "DIR", "The folder to write. Default: ./NAME.", group},
       {{"--force"},
        "",
        "Write into a folder that this command has not made, or that was changed since.",
        group},
       {{"--save"}, "", "Put it into the store in place of a folder.", group},
       {{"--dry-run"}, "", "Print what would be written, and write nothing.", group},
       {{"--timeout"},
        "SECONDS",
        "How long the server may take for everything. Default: 30.",
        group}},
      {{{"NAME"}, "TEXT", "The skill's name: a-z, 0-9 and single hyphens."},
       {{"COMMAND"},
        "TEXT",
        "What starts the server on its standard input and output, behind \"--\".",
        "",
        false,
        true}}};
  for (ArgumentDescription &option : connectionOptions(group))
    command.options.push_back(std::move(option));
  for (ArgumentDescription &option : savingOptions()) command.options.push_back(std::move(option));
  return command;
}

std::vector<std::string> takeServerCommand(std::span<const std::string> &arguments) {
  if (arguments.empty() || arguments.front() != "generate") return {};
  const auto mark = std::find(arguments.begin(), arguments.end(), "--");
  if (mark == arguments.end()) return {};
  std::vector<std::string> words(mark + 1, arguments.end());
  arguments = arguments.first(static_cast<std::size_t>(mark - arguments.begin()));
  return words;
}

Result<Invocation> generateInvocation(const ParsedArguments &given,
                                      std::vector<std::string> serverCommand,
                                      const Surroundings &surroundings) {
  Invocation invocation;
  invocation.command = Invocation::Command::Generate;
  invocation.configuration.log.level = LogLevel::Warning;
  GenerateInvocation &generate = invocation.generate;
  generate.name = given.last("NAME");
  generate.command = std::move(serverCommand);
  if (generate.command.empty() && given.has("COMMAND"))
    generate.command = given.values.at("COMMAND");
  if (const std::string wrong = whatIsWrong(given, generate); !wrong.empty())
    return refusedArguments(given.commands, wrong);
  if (const std::string wrong = readTimeout(given, generate); !wrong.empty())
    return refusedArguments(given.commands, wrong);
  generate.force = given.has("--force");
  generate.dryRun = given.has("--dry-run");
  generate.json = given.has("--json");
  generate.connect.url = given.last("--url");
  if (const Status read = readConnection(given, surroundings, invocation, generate.connect); !read)
    return refusedArguments(given.commands, read.failure().message);
  if (given.has("--save")) {
    if (const Status read = readSaving(given, surroundings, invocation.store); !read)
      return refusedArguments(given.commands, read.failure().message);
    return invocation;
  }
  generate.output = absolutePath(given.has("--output") ? given.last("--output") : generate.name,
                                 surroundings.workingDirectory, surroundings);
  return invocation;
}

} // namespace skillhost::app
