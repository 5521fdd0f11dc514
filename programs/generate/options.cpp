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

std::string whatIsWrong(const ParsedArguments &parsed, const GenerateSettings &generate) {
  if (generate.name.empty())
    return "name the skill and the server: skillhost generate NAME -- COMMAND";
  if (const std::string_view rule = brokenNameRule(generate.name); !rule.empty())
    return '"' + generate.name + "\" is no name for a skill: " + std::string(rule);
  if (generate.command.empty() != parsed.has("--url"))
    return "name the server: either -- COMMAND, which starts it, or --url URL";
  if (parsed.has("--save") && (parsed.has("--output") || parsed.has("--force")))
    return "--save writes to the store: --output and --force are for a folder";
  for (const char *option : {"--skill-dir", "--store-key", "--keep", "--zstd"})
    if (!parsed.has("--save") && parsed.has(option))
      return std::string(option) + " is an option for the store: add --save";
  return {};
}

} // namespace

Result<GenerateSettings> readGenerateSettings(std::span<const std::string> arguments,
                                              const ParsedArguments &parsed,
                                              const app::Surroundings &surroundings) {
  const auto refused = [&](const std::string &why) {
    return app::refusedArguments(parsed.commands, why);
  };
  GenerateSettings settings;
  settings.name = parsed.last("NAME");
  if (const std::size_t own = app::withoutServerCommand(arguments).size(); own < arguments.size())
    settings.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(own) + 1,
                            arguments.end());
  if (settings.command.empty() && parsed.has("COMMAND"))
    settings.command = parsed.values.at("COMMAND");
  if (const std::string wrong = whatIsWrong(parsed, settings); !wrong.empty())
    return refused(wrong);
  auto seconds = static_cast<std::uint64_t>(settings.timeout.count());
  Status read = readWholeNumber(parsed, "--timeout", "seconds", maxTimeout, seconds);
  if (!read) return refused(read.failure().message);
  settings.timeout = std::chrono::seconds(seconds);
  settings.force = parsed.has("--force");
  settings.dryRun = parsed.has("--dry-run");
  settings.json = parsed.has("--json");
  settings.connect.url = parsed.last("--url");
  read = readConnection(parsed, surroundings, settings.log, settings.connect);
  if (read && parsed.has("--save")) read = readSaving(parsed, surroundings, settings.store);
  if (!read) return refused(read.failure().message);
  if (!parsed.has("--save"))
    settings.output =
        settings::absolutePath(parsed.has("--output") ? parsed.last("--output") : settings.name,
                               surroundings.workingDirectory, surroundings);
  return settings;
}

} // namespace skillhost
