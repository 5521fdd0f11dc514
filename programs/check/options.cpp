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

Result<CheckSettings> common(const ParsedArguments &arguments, const Surroundings &surroundings) {
  if (!arguments.has("PLUGIN"))
    return refusedArguments(arguments.commands, "name the plugin's file, such as ./hello.so");
  CheckSettings settings;
  settings.json = arguments.has("--json");
  const auto absolute = [&](const std::string &key) {
    return arguments.has(key)
               ? absolutePath(arguments.last(key), surroundings.workingDirectory, surroundings)
               : std::string{};
  };
  settings.file = absolute("PLUGIN");
  settings.configurationFile = absolute("--config");
  settings.skills = absolute("--skills");
  settings.trusted = arguments.has("--trusted");
  if (arguments.has("--allow-read")) {
    if (settings.trusted)
      return refusedArguments(arguments.commands,
                              "--trusted lets it read everything: leave out --allow-read");
    for (const std::string &path : arguments.values.at("--allow-read"))
      settings.allowRead.push_back(absolutePath(path, surroundings.workingDirectory, surroundings));
  }
  return settings;
}

// Each value may hold several names, separated by commas. Fails for an unknown name.
Result<std::vector<std::string>> namedChecks(const ParsedArguments &arguments) {
  std::vector<std::string> known, named;
  for (const std::string_view name : check::checkNames()) known.emplace_back(name);
  for (const std::string &value : arguments.values.at("--only"))
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      const std::string name = value.substr(begin, end - begin);
      begin = end + 1;
      if (std::find(known.begin(), known.end(), name) == known.end())
        return refusedArguments(arguments.commands, "--only: there is no check \"" + name + '"' +
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

Status readDeadline(const ParsedArguments &arguments, std::uint32_t &milliseconds) {
  std::uint64_t number = milliseconds;
  const Status read =
      readWholeNumber(arguments, "--deadline-ms", "milliseconds", maxDeadline, number);
  if (!read) return refusedArguments(arguments.commands, read.failure().message);
  milliseconds = static_cast<std::uint32_t>(number);
  return Done{};
}

} // namespace

Result<CheckSettings> readCheckSettings(const ParsedArguments &arguments,
                                        const Surroundings &surroundings) {
  Result<CheckSettings> settings = common(arguments, surroundings);
  if (!settings) return settings;
  if (Status read = readDeadline(arguments, settings->deadlineMs); !read)
    return std::move(read).failure();
  if (!arguments.has("--only")) return settings;
  Result<std::vector<std::string>> only = namedChecks(arguments);
  if (!only) return std::move(only).failure();
  settings->only = *std::move(only);
  return settings;
}

Result<CheckSettings> readTrySettings(const ParsedArguments &arguments,
                                      const Surroundings &surroundings) {
  Result<CheckSettings> settings = common(arguments, surroundings);
  if (!settings) return settings;
  CheckSettings &plugin = *settings;
  plugin.operation = arguments.last("OPERATION");
  if (arguments.has("ARGUMENT")) plugin.arguments = arguments.values.at("ARGUMENT");
  if (const std::string wrong = wrongArguments(plugin); !wrong.empty())
    return refusedArguments(arguments.commands, wrong);
  if (arguments.has("--resource")) {
    if (plugin.operation != "validate")
      return refusedArguments(arguments.commands, "--resource is for validate alone");
    plugin.resource = arguments.last("--resource");
  }
  if (Status read = readDeadline(arguments, plugin.deadlineMs); !read)
    return std::move(read).failure();
  return settings;
}

} // namespace skillhost
