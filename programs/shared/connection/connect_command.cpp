// SPDX-License-Identifier: Apache-2.0
#include "connection/connect_command.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::array<std::string_view, 7> tokenOptions{
    "--token-env",         "--token-file",         "--token-command", "--login",
    "--client-secret-env", "--client-secret-file", "--issuer"};
constexpr std::array<std::string_view, 2> clientOptions{"--client-id", "--scope"};

// The options of every connection, except those that give a token, or choose a client for it.
std::vector<ArgumentDescription> connectionOptionsWithoutToken(const char *group) {
  std::vector<ArgumentDescription> options = connectionOptions(group);
  const auto isIn = [](const auto &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::erase_if(options, [&](const ArgumentDescription &option) {
    const std::string &name = option.names.back();
    return isIn(tokenOptions, name) || isIn(clientOptions, name) || name == "--header";
  });
  return options;
}

// The client of a sign-in with a browser, or of one without a person.
std::vector<ArgumentDescription> describedClient(const char *group) {
  return {{{"--client-id"},
           "TEXT",
           "The client id at the provider. Default for a sign-in with a browser: skillhost "
           "registers a client itself.",
           group},
          {{"--scope"},
           "TEXT",
           "A scope to request. Default: the scopes that the server names.",
           group,
           false,
           true}};
}

CommandDescription described(const char *name, const char *words, int position,
                             const ArgumentDescription &help,
                             std::vector<ArgumentDescription> options) {
  options.insert(options.begin(), help);
  CommandDescription command{
      name,
      words,
      false,
      std::move(options),
      {{{"URL"}, "URL", "The URL of the server, such as https://skills.example/mcp."}}};
  command.position = position;
  return command;
}

} // namespace

std::vector<ArgumentDescription> connectionOptions(const char *group) {
  std::vector<ArgumentDescription> options{
      {{"--token-env"}, "NAME", "The environment variable that holds the bearer token.", group},
      {{"--token-file"},
       "FILE",
       "The file that holds the bearer token; read again when it changes.",
       group},
      {{"--token-command"},
       "COMMAND",
       "The command for /bin/sh that prints the bearer token; run again before the token expires, "
       "and when the server refuses it.",
       group},
      {{"--login"},
       "",
       "Use the token of a sign-in with a browser, which is kept and refreshed; see skillhost "
       "login.",
       group},
      {{"--client-secret-env"},
       "NAME",
       "Get tokens as the client --client-id without a person (OAuth 2.0 client credentials); its "
       "secret is in this environment variable.",
       group},
      {{"--client-secret-file"},
       "FILE",
       "The same, with the secret in this file, which is read for each token.",
       group},
      {{"--issuer"},
       "URL",
       "The authorization server that may receive the client secret; required with a secret.",
       group},
      {{"--header"},
       "TEXT",
       "A further header field for every request, \"Name: value\". ${env:NAME} and ${file:PATH} in "
       "the value are looked up.",
       group,
       false,
       true},
      {{"--ca-file"},
       "FILE",
       "Trust the authorities in this PEM file instead of the system's.",
       group},
      {{"--connect-timeout-ms"},
       "N",
       "How long a connection may take, and how long a request may wait for a server that cannot "
       "be reached. Default: 15000.",
       group},
      {{"--allow-plain-token"}, "", "Send the token over http:// to another machine too.", group},
      {{"--log-level"},
       "DEBUG|INFO|WARNING|ERROR",
       "The lowest level of lines that are logged.",
       group},
      {{"--log-format"}, "text|json", "Lines for people, or one JSON object a line.", group}};
  for (ArgumentDescription &option : describedClient(group)) options.push_back(std::move(option));
  return options;
}

std::vector<ArgumentDescription> signInOptions(const char *group) {
  return {{{"--client-metadata"},
           "URL",
           "The https address of a client id metadata document, in place of a registered client.",
           group},
          {{"--no-browser"}, "", "Only print the address, to open it on another machine.", group}};
}

CommandDescription connectDescription(const ArgumentDescription &help, const char *group) {
  CommandDescription command{
      "connect",
      "Connect a client on stdin and stdout to a server over HTTP.",
      false,
      {help},
      {{{"URL"}, "URL", "The URL of the server, such as https://skills.example/mcp."}}};
  for (ArgumentDescription &option : connectionOptions(group))
    command.options.push_back(std::move(option));
  for (ArgumentDescription &option : signInOptions(group))
    command.options.push_back(std::move(option));
  command.position = 1500;
  return command;
}

CommandDescription loginDescription(const ArgumentDescription &help, const char *group) {
  std::vector<ArgumentDescription> options = describedClient(group);
  for (ArgumentDescription &option : signInOptions(group)) options.push_back(std::move(option));
  for (ArgumentDescription &option : connectionOptionsWithoutToken(group))
    options.push_back(std::move(option));
  return described("login", "Sign in to a server over HTTP, for connect --login.", 1510, help,
                   std::move(options));
}

CommandDescription logoutDescription(const ArgumentDescription &help, const char *group) {
  return described("logout", "Forget a sign-in, and have its tokens revoked.", 1520, help,
                   connectionOptionsWithoutToken(group));
}

CommandDescription healthDescription(const ArgumentDescription &help, const char *group) {
  CommandDescription command{
      "health",
      "Check whether a server over HTTP answers; exit code 1 if it does not.",
      false,
      {help,
       {{"--ready"}, "", "Also check whether the server is ready (/readyz).", group},
       {{"--ca-file"},
        "FILE",
        "Trust the authorities in this PEM file instead of the system's.",
        group},
       {{"--connect-timeout-ms"}, "N", "How long the connection may take. Default: 5000.", group}},
      {{{"URL"},
        "URL",
        "The server, of which host and port count. Default: http://127.0.0.1:8080."}}};
  command.position = 1530;
  return command;
}

} // namespace skillhost::app
