// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "settings/paths.hpp"
#include "tokens/token_file.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace skillhost {
namespace {

using app::ParsedArguments;
using app::refusedArguments;
using app::Surroundings;
using settings::absolutePath;

constexpr std::int64_t maxLife = std::int64_t{100} * 366 * 86'400;

// Parses "90m", "12h", "30d", or seconds.
std::optional<std::int64_t> duration(const std::string &text) {
  std::int64_t number = 0;
  const char *const end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || number <= 0 || number > maxLife || end - unit > 1)
    return std::nullopt;
  std::int64_t factor = 1;
  if (unit != end) {
    constexpr std::string_view units = "smhd";
    constexpr std::array<std::int64_t, units.size()> seconds{1, 60, 3600, 86'400};
    const std::size_t which = units.find(*unit);
    if (which == units.npos) return std::nullopt;
    factor = seconds.at(which);
  }
  if (number > maxLife / factor) return std::nullopt;
  return number * factor;
}

// Returns the problem; empty: none.
std::string readName(const ParsedArguments &arguments, TokenCommand &token) {
  token.name = arguments.last("NAME");
  if (token.name.empty()) return "name the owner of the token, such as skillhost token add ada";
  if (tokens::isTokenName(token.name)) return {};
  return "NAME: must be 1 to 64 of A-Z a-z 0-9 . _ - @, is \"" + token.name + '"';
}

std::string readRights(const ParsedArguments &arguments, TokenCommand &token) {
  if (arguments.has("--scope")) token.scopes = arguments.values.at("--scope");
  for (const std::string &scope : token.scopes)
    if (!tokens::isScope(scope))
      return "--scope: one scope without blanks each time, found \"" + scope + '"';
  if (!arguments.has("--expires-in")) return {};
  const std::optional<std::int64_t> seconds = duration(arguments.last("--expires-in"));
  if (!seconds)
    return "--expires-in: expected a time such as 90m, 12h or 30d, found \"" +
           arguments.last("--expires-in") + '"';
  token.expiresIn = *seconds;
  return {};
}

} // namespace

Result<TokenCommand> readTokenCommand(const ParsedArguments &arguments,
                                      const Surroundings &surroundings) {
  using Action = TokenCommand::Action;
  if (arguments.commands.size() < 2)
    return refusedArguments(arguments.commands,
                            "choose a command: token add NAME, list, or revoke NAME");
  TokenCommand token;
  const std::string &action = arguments.commands[1];
  token.action = action == "add" ? Action::Add : action == "list" ? Action::List : Action::Revoke;
  token.json = arguments.has("--json");
  token.file =
      arguments.has("--file")
          ? absolutePath(arguments.last("--file"), surroundings.workingDirectory, surroundings)
          : tokens::defaultTokenFile(surroundings.variable("XDG_CONFIG_HOME"),
                                     surroundings.variable("HOME"));
  if (token.file.empty())
    return refusedArguments(arguments.commands,
                            "name the file: --file FILE (HOME is not set, or no absolute path)");
  if (token.action == Action::List) return token;
  if (const std::string wrong = readName(arguments, token); !wrong.empty())
    return refusedArguments(arguments.commands, wrong);
  if (const std::string wrong = readRights(arguments, token); !wrong.empty())
    return refusedArguments(arguments.commands, wrong);
  return token;
}

} // namespace skillhost
