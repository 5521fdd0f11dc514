// SPDX-License-Identifier: Apache-2.0
#include "command_line/login_command.hpp"

#include "base/fault.hpp"
#include "command_line/connect_command.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::array<std::string_view, 4> tokenOptions{"--token-env", "--token-file",
                                                       "--token-command", "--login"};

// skillhost/logins in $XDG_CONFIG_HOME or ~/.config; empty without both.
std::string loginFolder(const Surroundings &surroundings) {
  std::string folder = surroundings.variable("XDG_CONFIG_HOME");
  const std::string home = surroundings.variable("HOME");
  if (!folder.starts_with('/')) folder = home.starts_with('/') ? home + "/.config" : "";
  return folder.empty() ? folder : folder + "/skillhost/logins";
}

// The person's own choice, else that of the desktop; none where there is no display.
std::string browserOf(const Surroundings &surroundings) {
  std::string own = surroundings.variable("BROWSER");
  if (!own.empty()) return own;
  const bool display = !surroundings.variable("DISPLAY").empty() ||
                       !surroundings.variable("WAYLAND_DISPLAY").empty();
  return display ? "xdg-open" : "";
}

// Those of every connection, but for the ones that give a token.
std::vector<ArgumentDescription> connectionOptionsWithoutToken(const char *group) {
  std::vector<ArgumentDescription> options = connectionOptions(group);
  std::erase_if(options, [](const ArgumentDescription &option) {
    return std::find(tokenOptions.begin(), tokenOptions.end(), option.names.back()) !=
               tokenOptions.end() ||
           option.names.back() == "--header";
  });
  return options;
}

CommandDescription described(const char *name, const char *words, const ArgumentDescription &help,
                             std::vector<ArgumentDescription> options) {
  options.insert(options.begin(), help);
  return {name,
          words,
          false,
          std::move(options),
          {{{"URL"}, "URL", "Where the server answers, such as https://skills.example/mcp."}}};
}

} // namespace

std::vector<ArgumentDescription> signInOptions(const char *group) {
  return {{{"--client-id"},
           "TEXT",
           "The client as the provider knows it. Default: one that skillhost registers itself.",
           group},
          {{"--client-metadata"},
           "URL",
           "The https address of a client id metadata document, in place of a registered client.",
           group},
          {{"--scope"},
           "TEXT",
           "A scope to ask for. Default: what the server says that it needs.",
           group,
           false,
           true},
          {{"--no-browser"}, "", "Only print the address to open, for another machine.", group}};
}

Status readSignIn(const ParsedArguments &given, const Surroundings &surroundings,
                  const ConnectSettings &connect, LoginSettings &login) {
  login.url = connect.url;
  login.folder = loginFolder(surroundings);
  if (login.folder.empty())
    return {Fault::InvalidInput, "the tokens have no place to be kept: HOME and XDG_CONFIG_HOME "
                                 "are not set, or no absolute paths"};
  login.clientId = given.last("--client-id");
  login.clientMetadata = given.last("--client-metadata");
  if (!login.clientId.empty() && !login.clientMetadata.empty())
    return {Fault::InvalidInput, "--client-id and --client-metadata exclude each other: give one"};
  if (!login.clientMetadata.empty() && !login.clientMetadata.starts_with("https://"))
    return {Fault::InvalidInput,
            "--client-metadata: expected an https address, found \"" + login.clientMetadata + '"'};
  if (given.has("--scope"))
    for (const std::string &scope : given.values.at("--scope"))
      login.scope += (login.scope.empty() ? "" : " ") + scope;
  if (!given.has("--no-browser")) login.browser = browserOf(surroundings);
  login.authorities = connect.authorities;
  login.allowPlainToken = connect.allowPlainToken;
  login.connecting = connect.patience;
  login.version = connect.version;
  return Done{};
}

CommandDescription loginDescription(const ArgumentDescription &help, const char *group) {
  std::vector<ArgumentDescription> options = signInOptions(group);
  for (ArgumentDescription &option : connectionOptionsWithoutToken(group))
    options.push_back(std::move(option));
  return described("login", "Sign in to a server over HTTP, for connect --login.", help,
                   std::move(options));
}

CommandDescription logoutDescription(const ArgumentDescription &help, const char *group) {
  return described("logout", "Forget a sign-in, and have its tokens revoked.", help,
                   connectionOptionsWithoutToken(group));
}

Result<Invocation> loginInvocation(const ParsedArguments &given, const Surroundings &surroundings) {
  if (!given.has("URL"))
    return refusedArguments(given.commands,
                            "name the server's URL, such as https://skills.example/mcp");
  Invocation invocation;
  invocation.command =
      given.commands.front() == "login" ? Invocation::Command::Login : Invocation::Command::Logout;
  invocation.configuration.log.level = LogLevel::Warning;
  ConnectSettings &connect = invocation.connect;
  connect.url = given.last("URL");
  Status read = readConnection(given, surroundings, invocation, connect);
  if (read) read = readSignIn(given, surroundings, connect, connect.token.login.emplace());
  if (read) read = checkConnectSettings(connect);
  if (!read) return refusedArguments(given.commands, read.failure().message);
  return invocation;
}

} // namespace skillhost::app
