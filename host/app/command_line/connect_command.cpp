// SPDX-License-Identifier: Apache-2.0
#include "command_line/connect_command.hpp"

#include "base/fault.hpp"
#include "command_line/login_command.hpp"
#include "configuration/paths.hpp"

#include <strings.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::uint32_t longestPatience = 600'000;

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<LogLevel> levelNamed(const std::string &name) {
  constexpr std::array<const char *, 4> names{"DEBUG", "INFO", "WARNING", "ERROR"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (::strcasecmp(name.c_str(), names[i]) == 0) return static_cast<LogLevel>(i);
  return std::nullopt;
}

} // namespace

std::vector<ArgumentDescription> connectionOptions(const char *group) {
  return {
      {{"--token-env"}, "NAME", "The environment variable that holds the bearer token.", group},
      {{"--token-file"}, "FILE", "The file that holds it; read again when it changes.", group},
      {{"--token-command"},
       "COMMAND",
       "The command for /bin/sh that prints it; run again before it expires, and when the "
       "server refuses it.",
       group},
      {{"--login"},
       "",
       "Take it from a sign-in with a browser, kept and refreshed from then on; see skillhost "
       "login.",
       group},
      {{"--header"},
       "TEXT",
       "One more field for every request, \"Name: value\".",
       group,
       false,
       true},
      {{"--ca-file"},
       "FILE",
       "Trust the authorities in this PEM file instead of the system's.",
       group},
      {{"--connect-timeout-ms"},
       "N",
       "How long a connection may take, and a request may wait for a server that is away. "
       "Default: 15000.",
       group},
      {{"--allow-plain-token"}, "", "Send the token over http:// to another machine too.", group},
      {{"--log-level"},
       "DEBUG|INFO|WARNING|ERROR",
       "The quietest lines that are still logged.",
       group},
      {{"--log-format"}, "text|json", "Lines for people, or one JSON object a line.", group}};
}

CommandDescription connectDescription(const ArgumentDescription &help, const char *group) {
  CommandDescription command{
      "connect",
      "Carry a client on stdin and stdout to a server over HTTP.",
      false,
      {help},
      {{{"URL"}, "URL", "Where the server answers, such as https://skills.example/mcp."}}};
  for (ArgumentDescription &option : connectionOptions(group))
    command.options.push_back(std::move(option));
  for (ArgumentDescription &option : signInOptions(group))
    command.options.push_back(std::move(option));
  return command;
}

Result<HttpFields> readHeaderFields(const ParsedArguments &given) {
  HttpFields fields;
  if (!given.has("--header")) return fields;
  for (const std::string &field : given.values.at("--header")) {
    const std::size_t colon = field.find(':');
    if (colon == std::string::npos)
      return Failure{Fault::InvalidInput, "--header: expected \"Name: value\""};
    fields.emplace_back(trimmed(std::string_view(field).substr(0, colon)),
                        trimmed(std::string_view(field).substr(colon + 1)));
  }
  return fields;
}

Status readConnection(const ParsedArguments &given, const Surroundings &surroundings,
                      Invocation &invocation, ConnectSettings &settings) {
  const auto absolute = [&](const char *key) {
    return given.has(key)
               ? absolutePath(given.last(key), surroundings.workingDirectory, surroundings)
               : std::string{};
  };
  // Choices were checked when the arguments were parsed; the environment's are taken or left.
  const auto told = [&](const char *option, const char *variable) {
    return given.has(option) ? given.last(option) : surroundings.variable(variable);
  };
  LogConfiguration &log = invocation.configuration.log;
  if (const auto level = levelNamed(told("--log-level", "SKILLHOST_LOG_LEVEL"))) log.level = *level;
  if (::strcasecmp(told("--log-format", "SKILLHOST_LOG_FORMAT").c_str(), "json") == 0)
    log.format = log::Format::JsonLines;
  settings.version = SKILLHOST_VERSION;
  settings.token = {given.last("--token-env"), absolute("--token-file"),
                    given.last("--token-command"), std::nullopt};
  settings.authorities = absolute("--ca-file");
  settings.allowPlainToken = given.has("--allow-plain-token");
  Result<HttpFields> fields = readHeaderFields(given);
  if (!fields) return fields.failure();
  settings.fields = *std::move(fields);
  if (given.has("--connect-timeout-ms")) {
    const std::string text = given.last("--connect-timeout-ms");
    std::uint32_t span = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), span);
    if (error != std::errc{} || end != text.data() + text.size() || span == 0 ||
        span > longestPatience)
      return {Fault::InvalidInput,
              "--connect-timeout-ms: expected a whole number of milliseconds from "
              "1 to 600000, found \"" +
                  text + '"'};
    settings.patience = std::chrono::milliseconds(span);
  }
  if (settings.url.empty()) return Done{};
  if (given.has("--login")) {
    Status read = readSignIn(given, surroundings, settings, settings.token.login.emplace());
    if (!read) return read;
  }
  return checkConnectSettings(settings);
}

Result<Invocation> connectInvocation(const ParsedArguments &given,
                                     const Surroundings &surroundings) {
  if (!given.has("URL"))
    return refusedArguments(given.commands,
                            "name the server's URL, such as https://skills.example/mcp");
  Invocation invocation;
  invocation.command = Invocation::Command::Connect;
  for (const ArgumentDescription &option : signInOptions(""))
    if (given.has(option.names.back()) && !given.has("--login"))
      return refusedArguments(given.commands,
                              option.names.back() + " is for a sign-in: say --login too");
  ConnectSettings &settings = invocation.connect;
  settings.url = given.last("URL");
  if (const Status read = readConnection(given, surroundings, invocation, settings); !read)
    return refusedArguments(given.commands, read.failure().message);
  return invocation;
}

} // namespace skillhost::app
