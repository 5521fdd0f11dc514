// SPDX-License-Identifier: Apache-2.0
// The program skillhost-connect, which `skillhost connect …`, `login …`, `logout …` and `health …`
// execute.
#include "app/log_configuration.hpp"
#include "commandline/parser.hpp"
#include "connection/connect_command.hpp"
#include "connection/options.hpp"
#include "health.hpp"
#include "program.hpp"
#include "relay.hpp"
#include "settings/paths.hpp"
#include "sign_in.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {
namespace {

using app::ParsedArguments;
using app::Surroundings;

// Reads the settings of a connection with a sign-in, or of the sign-in itself.
Result<ConnectSettings> readSettings(const ParsedArguments &parsed,
                                     const Surroundings &surroundings, app::LogConfiguration &log) {
  if (!parsed.has("URL"))
    return app::refusedArguments(parsed.commands,
                                 "name the server's URL, such as https://skills.example/mcp");
  const bool signsIn = parsed.commands.front() != "connect";
  for (const app::ArgumentDescription &option : app::signInOptions(""))
    if (!signsIn && parsed.has(option.names.back()) && !parsed.has("--login"))
      return app::refusedArguments(parsed.commands, option.names.back() +
                                                        " is an option for a sign-in: add --login");
  ConnectSettings settings;
  settings.url = parsed.last("URL");
  Status read = readConnection(parsed, surroundings, log, settings);
  if (read && signsIn) {
    read = readSignIn(parsed, surroundings, settings, settings.token.login.emplace());
    if (read) read = checkConnectSettings(settings);
  }
  if (!read) return app::refusedArguments(parsed.commands, read.failure().message);
  return settings;
}

int health(const ParsedArguments &parsed, const Surroundings &surroundings) {
  constexpr std::uint64_t maxPatience = 600'000; // milliseconds
  std::uint64_t patience = 5'000;
  if (const Status read = app::readWholeNumber(parsed, "--connect-timeout-ms", "milliseconds",
                                               maxPatience, patience);
      !read)
    return programs::refuse(app::refusedArguments(parsed.commands, read.failure().message));
  HealthQuestion question{parsed.has("URL") ? parsed.last("URL") : "http://127.0.0.1:8080",
                          parsed.has("--ready"),
                          {},
                          std::chrono::milliseconds(patience)};
  if (parsed.has("--ca-file"))
    question.authorities = settings::absolutePath(parsed.last("--ca-file"),
                                                  surroundings.workingDirectory, surroundings);
  return askHealth(question);
}

int work(const ParsedArguments &parsed, const Surroundings &surroundings) {
  const std::string &verb = parsed.commands.front();
  if (verb == "health") return health(parsed, surroundings);
  app::LogConfiguration log;
  if (verb != "connect") log.level = LogLevel::Warning;
  Result<ConnectSettings> settings = readSettings(parsed, surroundings, log);
  if (!settings) return programs::refuse(settings.failure());
  const app::Logging logging(log, surroundings);
  if (verb == "connect") return relayStdio(*std::move(settings));
  return verb == "login" ? signIn(*settings->token.login) : signOut(*settings->token.login);
}

} // namespace
} // namespace skillhost

int main(int count, char **words) {
  using namespace skillhost;
  const std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  const app::ArgumentDescription help = app::helpOption();
  return programs::run(arguments,
                       programs::skillhostWith(programs::carriedOutBy(
                           "connect", app::ServerOptions::Refused,
                           {app::connectDescription(help, app::generalOptions),
                            app::loginDescription(help, app::generalOptions),
                            app::logoutDescription(help, app::generalOptions),
                            app::healthDescription(help, app::generalOptions)})),
                       work);
}
