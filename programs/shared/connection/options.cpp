// SPDX-License-Identifier: Apache-2.0
#include "connection/options.hpp"

#include "base/fault.hpp"
#include "server_address.hpp"
#include "settings/paths.hpp"

#include <strings.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

using app::LogConfiguration;
using app::ParsedArguments;
using app::Surroundings;
using settings::absolutePath;

constexpr std::uint64_t maxPatience = 600'000;

std::optional<LogLevel> levelNamed(const std::string &name) {
  constexpr std::array<const char *, 4> names{"DEBUG", "INFO", "WARNING", "ERROR"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (::strcasecmp(name.c_str(), names[i]) == 0) return static_cast<LogLevel>(i);
  return std::nullopt;
}

// Returns skillhost/logins in $XDG_CONFIG_HOME or ~/.config; empty if neither variable is set.
std::string loginFolder(const Surroundings &surroundings) {
  std::string folder = surroundings.variable("XDG_CONFIG_HOME");
  const std::string home = surroundings.variable("HOME");
  if (!folder.starts_with('/')) folder = home.starts_with('/') ? home + "/.config" : "";
  return folder.empty() ? folder : folder + "/skillhost/logins";
}

// Returns $BROWSER, or else the desktop's browser; empty without a display.
std::string browserOf(const Surroundings &surroundings) {
  std::string own = surroundings.variable("BROWSER");
  if (!own.empty()) return own;
  const bool display = !surroundings.variable("DISPLAY").empty() ||
                       !surroundings.variable("WAYLAND_DISPLAY").empty();
  return display ? "xdg-open" : "";
}

// Reads the client, and what a sign-in shares with the connection.
void readClient(const ParsedArguments &arguments, const ConnectSettings &connect,
                LoginSettings &login) {
  login.url = connect.url;
  login.clientId = arguments.last("--client-id");
  if (arguments.has("--scope"))
    for (const std::string &scope : arguments.values.at("--scope"))
      login.scope += (login.scope.empty() ? "" : " ") + scope;
  login.authorities = connect.authorities;
  login.allowPlainToken = connect.allowPlainToken;
  login.connecting = connect.patience;
  login.version = connect.version;
}

Status readClientGrant(const ParsedArguments &arguments, const Surroundings &surroundings,
                       const ConnectSettings &connect, ClientGrantSettings &grant) {
  grant.secretVariable = arguments.last("--client-secret-env");
  if (arguments.has("--client-secret-file"))
    grant.secretFile = absolutePath(arguments.last("--client-secret-file"),
                                    surroundings.workingDirectory, surroundings);
  if (!grant.secretVariable.empty() && !grant.secretFile.empty())
    return {Fault::InvalidInput,
            "--client-secret-env and --client-secret-file exclude each other: give one"};
  if (grant.secretVariable.empty() && grant.secretFile.empty())
    return {Fault::InvalidInput, "--client-secret-env: name the environment variable"};
  readClient(arguments, connect, grant.provider);
  if (grant.provider.clientId.empty())
    return {Fault::InvalidInput, "a client secret goes with --client-id: name the client"};
  grant.issuer = arguments.last("--issuer");
  if (grant.issuer.empty())
    return {Fault::InvalidInput, "a client secret goes with --issuer: name the authorization "
                                 "server that may receive the secret, such as "
                                 "https://id.example.org"};
  return Done{};
}

} // namespace

Status readConnection(const ParsedArguments &arguments, const Surroundings &surroundings,
                      LogConfiguration &log, ConnectSettings &settings) {
  const auto absolute = [&](const char *key) {
    return arguments.has(key)
               ? absolutePath(arguments.last(key), surroundings.workingDirectory, surroundings)
               : std::string{};
  };
  // The parser has checked the options. An invalid value in the environment is ignored.
  const auto valueOf = [&](const char *option, const char *variable) {
    return arguments.has(option) ? arguments.last(option) : surroundings.variable(variable);
  };
  if (const auto level = levelNamed(valueOf("--log-level", "SKILLHOST_LOG_LEVEL")))
    log.level = *level;
  if (::strcasecmp(valueOf("--log-format", "SKILLHOST_LOG_FORMAT").c_str(), "json") == 0)
    log.format = log::Format::JsonLines;
  settings.version = SKILLHOST_VERSION;
  settings.token = {arguments.last("--token-env"), absolute("--token-file"),
                    arguments.last("--token-command"), std::nullopt, std::nullopt};
  settings.authorities = absolute("--ca-file");
  settings.allowPlainToken = arguments.has("--allow-plain-token");
  Result<HttpFields> fields =
      app::readResolvedHeaderFields(arguments, surroundings, settings.fieldsHoldSecret);
  if (!fields) return fields.failure();
  settings.fields = *std::move(fields);
  auto patience = static_cast<std::uint64_t>(settings.patience.count());
  if (Status read =
          readWholeNumber(arguments, "--connect-timeout-ms", "milliseconds", maxPatience, patience);
      !read)
    return read;
  settings.patience = std::chrono::milliseconds(patience);
  if (settings.url.empty()) return Done{};
  if (arguments.has("--login")) {
    Status read = readSignIn(arguments, surroundings, settings, settings.token.login.emplace());
    if (!read) return read;
  }
  if (arguments.has("--client-secret-env") || arguments.has("--client-secret-file")) {
    Status read =
        readClientGrant(arguments, surroundings, settings, settings.token.client.emplace());
    if (!read) return read;
  } else if (arguments.has("--issuer")) {
    return {Fault::InvalidInput, "--issuer goes with --client-secret-env or --client-secret-file"};
  }
  return checkConnectSettings(settings);
}

Status readSignIn(const ParsedArguments &arguments, const Surroundings &surroundings,
                  const ConnectSettings &connect, LoginSettings &login) {
  login.folder = loginFolder(surroundings);
  if (login.folder.empty())
    return {Fault::InvalidInput, "the tokens have no place to be kept: HOME and XDG_CONFIG_HOME "
                                 "are not set, or no absolute paths"};
  readClient(arguments, connect, login);
  login.clientMetadata = arguments.last("--client-metadata");
  if (!login.clientId.empty() && !login.clientMetadata.empty())
    return {Fault::InvalidInput, "--client-id and --client-metadata exclude each other: give one"};
  if (!login.clientMetadata.empty() && !login.clientMetadata.starts_with("https://"))
    return {Fault::InvalidInput,
            "--client-metadata: expected an https address, found \"" + login.clientMetadata + '"'};
  if (!arguments.has("--no-browser")) login.browser = browserOf(surroundings);
  return Done{};
}

} // namespace skillhost
