// SPDX-License-Identifier: Apache-2.0
#include "client_config_options.hpp"

#include "command_line/given.hpp"
#include "configuration/keys.hpp"
#include "server_address.hpp"
#include "settings/paths.hpp"

#include <sstream>
#include <string>
#include <utility>

namespace skillhost::app {
namespace {

constexpr const char *filesGroup = "The client's file";
constexpr const char *teamGroup = "A server over HTTP, instead of one that the client starts";

bool isPath(const HostKey &key, const std::string &value) {
  return key.rule.meaning == Meaning::Path ||
         (key.rule.meaning == Meaning::Plugin && value.find('/') != std::string::npos);
}

// Returns the settings as arguments that mean the same in any working directory, for a client to
// pass.
std::vector<std::string> repeatedSettings(const ParsedArguments &arguments,
                                          const Surroundings &surroundings) {
  std::vector<std::string> out;
  const auto absolute = [&](const std::string &path) {
    return path.empty() ? path : absolutePath(path, surroundings.workingDirectory, surroundings);
  };
  for (const char *flag : {"--no-config", "--hidden", "--verbose"})
    if (arguments.has(flag)) out.emplace_back(flag);
  if (arguments.has("--config"))
    out.insert(out.end(), {"--config", absolute(arguments.last("--config"))});
  if (arguments.has("--watch")) out.insert(out.end(), {"--watch", arguments.last("--watch")});
  for (const HostKey &key : hostKeys()) {
    const std::string option(key.option);
    if (option.empty() || !arguments.has(option)) continue;
    for (const std::string &value : arguments.values.at(option)) {
      if (key.shape == Shape::Flag) {
        out.push_back(value == "true" ? option : option + '=' + value);
        continue;
      }
      out.insert(out.end(), {option, isPath(key, value) ? absolute(value) : value});
    }
  }
  if (arguments.has("--set"))
    for (const std::string &pair : arguments.values.at("--set"))
      out.insert(out.end(), {"--set", pair});
  return out;
}

// Returns the first option of a server that is given; empty: none is.
std::string firstSetting(const ParsedArguments &arguments) {
  for (const char *option :
       {"--config", "--no-config", "--set", "--hidden", "--watch", "--verbose"})
    if (arguments.has(option)) return option;
  for (const HostKey &key : hostKeys())
    if (const std::string option(key.option); !option.empty() && arguments.has(option))
      return option;
  return {};
}

// Refuses a relative path in --set: the client starts the server in another folder. Lists and
// objects may hold paths at any place, so only single texts are checked, and lists with colons.
Status checkSetPaths(const ParsedArguments &arguments) {
  if (!arguments.has("--set")) return Done{};
  for (const std::string &pair : arguments.values.at("--set")) {
    const std::size_t equals = pair.find('=');
    const HostKey *const key = findKey(pair.substr(0, equals));
    if (equals == std::string::npos || key == nullptr) continue;
    std::istringstream values(pair.substr(equals + 1));
    for (std::string value;
         std::getline(values, value, key->shape == Shape::TextList ? ':' : '\0');)
      if (isPath(*key, value) && !value.empty() && value.front() != '/' &&
          !value.starts_with("~/") && value != "~" && value.front() != '[')
        return {Fault::InvalidInput, "--set " + pair +
                                         ": the client starts the server in another "
                                         "folder: write an absolute path"};
  }
  return Done{};
}

// Reads the options beside --url as `skillhost connect` does.
Status readServer(const ParsedArguments &arguments, const Surroundings &surroundings,
                  ClientServer &server) {
  server.url = arguments.last("--url");
  server.tokenVariable = arguments.last("--token-env");
  server.tokenCommand = arguments.last("--token-command");
  if (arguments.has("--token-file"))
    server.tokenFile =
        absolutePath(arguments.last("--token-file"), surroundings.workingDirectory, surroundings);
  server.throughConnect = arguments.has("--connect");
  server.allowPlainToken = arguments.has("--allow-plain-token");
  Result<HttpFields> fields = readHeaderFields(arguments);
  if (!fields) return fields.failure();
  server.headers = *std::move(fields);
  if (!arguments.has("--url")) {
    for (const char *option : {"--token-env", "--token-file", "--token-command", "--header",
                               "--connect", "--allow-plain-token"})
      if (arguments.has(option))
        return {Fault::InvalidInput, std::string(option) + " goes with --url"};
    if (arguments.last("--transport") == "http")
      return {Fault::InvalidInput, "--transport http: a client that starts a server talks to it on "
                                   "its standard input: use --url for a server over HTTP"};
    return checkSetPaths(arguments);
  }
  // The server at the URL has settings of its own.
  if (const std::string option = firstSetting(arguments); !option.empty())
    return {Fault::InvalidInput, option + " does not go with --url: give it to the server there"};
  std::size_t tokens = 0;
  for (const std::string &one : {server.tokenVariable, server.tokenFile, server.tokenCommand})
    tokens += one.empty() ? 0U : 1U;
  return checkServer({server.url, tokens, server.headers, false, server.allowPlainToken});
}

} // namespace

CommandDescription clientConfigDescription() {
  const ArgumentDescription help = helpOption();
  CommandDescription command{
      "client-config",
      "Print the entry that makes a client start this server with these options, or write it into "
      "the client's own file.",
      true,
      {help,
       {{"--write"},
        "",
        "Write the entry into the client's file; everything else in the file stays, and a copy of "
        "the old file is kept beside it.",
        filesGroup},
       {{"--remove"}, "", "Remove the entry from the client's file.", filesGroup},
       {{"--project"},
        "",
        "Use the file of the project in this folder, instead of the user's own.",
        filesGroup},
       {{"--file"}, "FILE", "Use this file instead of the client's usual one.", filesGroup},
       {{"--name"},
        "NAME",
        "The name of the server in the client's file. Default: skillhost.",
        filesGroup},
       {{"--url"}, "URL", "The URL of the server, such as https://skills.example/mcp.", teamGroup},
       {{"--token-env"},
        "NAME",
        "The environment variable that holds the bearer token.",
        teamGroup},
       {{"--token-file"},
        "FILE",
        "The file that holds the bearer token; the client then starts skillhost connect.",
        teamGroup},
       {{"--token-command"},
        "COMMAND",
        "The command that prints the bearer token; the client then starts skillhost connect.",
        teamGroup},
       {{"--header"},
        "TEXT",
        "A further header field for every request, \"Name: value\".",
        teamGroup,
        false,
        true},
       {{"--allow-plain-token"},
        "",
        "Accept that the token goes over http:// to another machine.",
        teamGroup},
       {{"--connect"},
        "",
        "Make the client start skillhost connect, also if it could reach the URL itself.",
        teamGroup}},
      {{{"CLIENT"}, std::string(clientChoices), "The client."}}};
  command.position = 1700;
  return command;
}

Result<ClientInvocation> clientConfigInvocation(const ParsedArguments &arguments,
                                                const Surroundings &surroundings) {
  if (!arguments.has("CLIENT"))
    return refusedArguments(arguments.commands,
                            "name the client, one of " + std::string(clientChoices));
  if (const Result<CommandLineSettings> settings = givenSettings(arguments); !settings)
    return settings.failure();
  ClientInvocation wanted;
  const Client &client = *clientNamed(arguments.last("CLIENT"));
  wanted.client = client.name;
  if (arguments.has("--name")) wanted.name = arguments.last("--name");
  if (wanted.name.empty() || wanted.name == "-")
    return refusedArguments(arguments.commands,
                            "--name \"" + wanted.name + "\": write a name, such as skillhost");
  if (arguments.has("--write") && arguments.has("--remove"))
    return refusedArguments(arguments.commands, "give one of --write and --remove");
  wanted.action = arguments.has("--write")    ? ClientInvocation::Action::Write
                  : arguments.has("--remove") ? ClientInvocation::Action::Remove
                                              : ClientInvocation::Action::Print;
  const bool project = arguments.has("--project");
  wanted.file = arguments.has("--file") ? absolutePath(arguments.last("--file"),
                                                       surroundings.workingDirectory, surroundings)
                : project               ? projectFileOf(client, surroundings)
                                        : userFileOf(client, surroundings);
  if (project && client.projectFile.empty())
    return refusedArguments(arguments.commands,
                            std::string(client.title) + " has no file for one project");
  if (wanted.file.empty() && wanted.action != ClientInvocation::Action::Print)
    return refusedArguments(arguments.commands, "name the file to change: --file FILE");
  // A change of a project's file must change no other file, wherever a link in the project leads.
  if (project && !arguments.has("--file") && wanted.action != ClientInvocation::Action::Print &&
      settings::leadsOutOf(wanted.file, surroundings.workingDirectory))
    return refusedArguments(arguments.commands, wanted.file +
                                                    " is a link out of this folder: it is not "
                                                    "changed; name the file with --file FILE");
  wanted.server.executable = surroundings.executable;
  wanted.server.arguments = repeatedSettings(arguments, surroundings);
  if (const Status read = readServer(arguments, surroundings, wanted.server); !read)
    return refusedArguments(arguments.commands, read.failure().message);
  std::vector<std::string> words{wanted.server.executable};
  words.insert(words.end(), wanted.server.arguments.begin(), wanted.server.arguments.end());
  for (const std::string &word : words)
    if (const std::string wrong = settings::problemUnlessUtf8(word); !wrong.empty())
      return Failure{Fault::InvalidInput, word + wrong};
  return wanted;
}

} // namespace skillhost::app
