// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "connection/options.hpp"
#include "generate_command.hpp"
#include "settings/paths.hpp"
#include "skillmd/name_rules.hpp"

#include <cstdint>
#include <string_view>

namespace skillhost {
namespace {

using app::ParsedArguments;

constexpr std::uint64_t maxTimeout = 600;

std::string whatIsWrong(const ParsedArguments &given, const GenerateSettings &generate) {
  if (generate.name.empty())
    return "name the skill and the server: skillhost generate NAME -- COMMAND";
  if (const std::string_view rule = brokenNameRule(generate.name); !rule.empty())
    return '"' + generate.name + "\" is no name for a skill: " + std::string(rule);
  if (generate.command.empty() != given.has("--url"))
    return "name the server: either -- COMMAND, which starts it, or --url URL";
  if (given.has("--save") && (given.has("--output") || given.has("--force")))
    return "--save writes to the store: --output and --force are for a folder";
  for (const char *option : {"--skill-dir", "--store-key", "--keep", "--zstd"})
    if (!given.has("--save") && given.has(option))
      return std::string(option) + " is an option for the store: add --save";
  return {};
}

} // namespace

Result<GenerateSettings> readGenerateSettings(std::span<const std::string> arguments,
                                              const ParsedArguments &given,
                                              const app::Surroundings &surroundings) {
  const auto refused = [&](const std::string &why) {
    return app::refusedArguments(given.commands, why);
  };
  GenerateSettings settings;
  settings.name = given.last("NAME");
  if (const std::size_t own = app::withoutServerCommand(arguments).size(); own < arguments.size())
    settings.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(own) + 1,
                            arguments.end());
  if (settings.command.empty() && given.has("COMMAND"))
    settings.command = given.values.at("COMMAND");
  if (const std::string wrong = whatIsWrong(given, settings); !wrong.empty()) return refused(wrong);
  auto seconds = static_cast<std::uint64_t>(settings.timeout.count());
  Status read = readWholeNumber(given, "--timeout", "seconds", maxTimeout, seconds);
  if (!read) return refused(read.failure().message);
  settings.timeout = std::chrono::seconds(seconds);
  settings.force = given.has("--force");
  settings.dryRun = given.has("--dry-run");
  settings.json = given.has("--json");
  settings.connect.url = given.last("--url");
  read = readConnection(given, surroundings, settings.log, settings.connect);
  if (read && given.has("--save")) read = readSaving(given, surroundings, settings.store);
  if (!read) return refused(read.failure().message);
  if (!given.has("--save"))
    settings.output =
        settings::absolutePath(given.has("--output") ? given.last("--output") : settings.name,
                               surroundings.workingDirectory, surroundings);
  return settings;
}

} // namespace skillhost
