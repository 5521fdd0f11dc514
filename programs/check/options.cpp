// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "check/check.hpp"
#include "commandline/suggest.hpp"
#include "settings/paths.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace skillhost {
namespace {

using app::didYouMean;
using app::ParsedArguments;
using app::refusedArguments;
using app::Surroundings;
using settings::absolutePath;

constexpr std::uint32_t maxDeadline = 3'600'000;

Result<CheckSettings> common(const ParsedArguments &given, const Surroundings &surroundings) {
  if (!given.has("PLUGIN"))
    return refusedArguments(given.commands, "name the plugin's file, such as ./hello.so");
  CheckSettings settings;
  settings.json = given.has("--json");
  const auto absolute = [&](const std::string &key) {
    return given.has(key)
               ? absolutePath(given.last(key), surroundings.workingDirectory, surroundings)
               : std::string{};
  };
  settings.file = absolute("PLUGIN");
  settings.configurationFile = absolute("--config");
  settings.skills = absolute("--skills");
  settings.trusted = given.has("--trusted");
  if (given.has("--allow-read")) {
    if (settings.trusted)
      return refusedArguments(given.commands,
                              "--trusted lets it read everything: leave out --allow-read");
    for (const std::string &path : given.values.at("--allow-read"))
      settings.allowRead.push_back(absolutePath(path, surroundings.workingDirectory, surroundings));
  }
  return settings;
}

// Each value may hold several names, separated by commas. Fails for an unknown name.
Result<std::vector<std::string>> namedChecks(const ParsedArguments &given) {
  std::vector<std::string> known, named;
  for (const std::string_view name : check::checkNames()) known.emplace_back(name);
  for (const std::string &value : given.values.at("--only"))
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      const std::string name = value.substr(begin, end - begin);
      begin = end + 1;
      if (std::find(known.begin(), known.end(), name) == known.end())
        return refusedArguments(given.commands, "--only: there is no check \"" + name + '"' +
                                                    didYouMean(name, known));
      named.push_back(name);
    }
  return named;
}

// Returns the problem with the operation's arguments; empty: none.
std::string wrongArguments(const CheckSettings &plugin) {
  const std::size_t count = plugin.arguments.size();
  if (plugin.operation.empty()) return "name the operation: list, read, query or validate";
  if (plugin.operation == "list" && count != 0) return "list takes no arguments";
  if (plugin.operation == "read" && count != 2)
    return "read takes a skill and a path, such as read pdf SKILL.md";
  if (plugin.operation == "query" && count == 0) return "query takes the words to search for";
  if (plugin.operation == "validate" && count != 1)
    return "validate takes a token, or - to read it from standard input";
  return {};
}

Status readDeadline(const ParsedArguments &given, std::uint32_t &milliseconds) {
  std::uint64_t number = milliseconds;
  const Status read = readWholeNumber(given, "--deadline-ms", "milliseconds", maxDeadline, number);
  if (!read) return refusedArguments(given.commands, read.failure().message);
  milliseconds = static_cast<std::uint32_t>(number);
  return Done{};
}

} // namespace

Result<CheckSettings> readCheckSettings(const ParsedArguments &given,
                                        const Surroundings &surroundings) {
  Result<CheckSettings> settings = common(given, surroundings);
  if (!settings) return settings;
  if (Status read = readDeadline(given, settings->deadlineMs); !read)
    return std::move(read).failure();
  if (!given.has("--only")) return settings;
  Result<std::vector<std::string>> only = namedChecks(given);
  if (!only) return std::move(only).failure();
  settings->only = *std::move(only);
  return settings;
}

Result<CheckSettings> readTrySettings(const ParsedArguments &given,
                                      const Surroundings &surroundings) {
  Result<CheckSettings> settings = common(given, surroundings);
  if (!settings) return settings;
  CheckSettings &plugin = *settings;
  plugin.operation = given.last("OPERATION");
  if (given.has("ARGUMENT")) plugin.arguments = given.values.at("ARGUMENT");
  if (const std::string wrong = wrongArguments(plugin); !wrong.empty())
    return refusedArguments(given.commands, wrong);
  if (given.has("--resource")) {
    if (plugin.operation != "validate")
      return refusedArguments(given.commands, "--resource is for validate alone");
    plugin.resource = given.last("--resource");
  }
  if (Status read = readDeadline(given, plugin.deadlineMs); !read) return std::move(read).failure();
  return settings;
}

} // namespace skillhost
