// SPDX-License-Identifier: Apache-2.0
#include "client.hpp"

#include "server_address.hpp"
#include "settings/secrets.hpp"

#include <nlohmann/json.hpp>

namespace skillhost::app {
namespace {

// Returns a client's notation for an environment variable in a header; empty: it has none.
std::string variableIn(const Client &client, const std::string &name) {
  if (client.name == "claude-code" || client.name == "gemini-cli") return "${" + name + '}';
  if (client.name == "cursor" || client.name == "windsurf") return "${env:" + name + '}';
  if (client.name == "opencode") return "{env:" + name + '}';
  return {};
}

bool needsConnect(const Client &client, const ClientServer &server) {
  if (server.throughConnect || !server.tokenFile.empty() || !server.tokenCommand.empty())
    return true;
  if (client.name == "claude-desktop") return true; // supports only stdio
  return !server.tokenVariable.empty() && client.name != "codex" &&
         variableIn(client, server.tokenVariable).empty();
}

// Returns true if the client itself looks up ${NAME} in its environment.
bool expandsVariables(const Client &client) { return variableIn(client, "X") == "${X}"; }

std::vector<std::string> connectArguments(const ClientServer &server) {
  std::vector<std::string> words{"connect", server.url};
  const auto add = [&](const char *option, const std::string &value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--token-env", server.tokenVariable);
  add("--token-file", server.tokenFile);
  add("--token-command", server.tokenCommand);
  for (const auto &[name, value] : server.headers) {
    words.emplace_back("--header");
    words.push_back(name + ": " + value);
  }
  if (server.allowPlainToken) words.emplace_back("--allow-plain-token");
  return words;
}

Json localEntry(const Client &client, const ClientServer &server,
                const std::vector<std::string> &arguments, const std::string &name) {
  if (client.name == "goose")
    return {
        {"enabled", true},   {"type", "stdio"},        {"name", name},  {"cmd", server.executable},
        {"args", arguments}, {"envs", Json::object()}, {"timeout", 300}};
  if (client.name == "opencode") {
    Json words = Json::array({server.executable});
    for (const std::string &word : arguments) words.push_back(word);
    return {{"type", "local"}, {"command", std::move(words)}};
  }
  Json entry = Json::object();
  if (client.name == "vscode" || client.name == "claude-code") entry["type"] = "stdio";
  entry["command"] = server.executable;
  entry["args"] = arguments;
  // These clients pass few variables of their environment to servers.
  if (!server.url.empty() && !server.tokenVariable.empty()) {
    if (client.name == "codex") entry["env_vars"] = Json::array({server.tokenVariable});
    if (client.name == "gemini-cli")
      entry["env"] = {{server.tokenVariable, variableIn(client, server.tokenVariable)}};
  }
  return entry;
}

Json remoteEntry(const Client &client, const ClientServer &server, const std::string &name) {
  Json headers = Json::object();
  for (const auto &[key, value] : server.headers) headers[key] = value;
  if (!server.tokenVariable.empty() && client.name != "codex")
    headers["Authorization"] = "Bearer " + variableIn(client, server.tokenVariable);
  Json entry = Json::object();
  if (client.name == "goose")
    entry = {{"enabled", true},
             {"type", "streamable_http"},
             {"name", name},
             {"uri", server.url},
             {"timeout", 300}};
  else if (client.name == "windsurf")
    entry = {{"serverUrl", server.url}};
  else if (client.name == "opencode")
    entry = {{"type", "remote"}, {"url", server.url}};
  else if (client.name == "cursor" || client.name == "zed" || client.name == "codex")
    entry = {{"url", server.url}};
  else
    entry = {{"type", "http"}, {"url", server.url}};
  if (client.name == "codex" && !server.tokenVariable.empty())
    entry["bearer_token_env_var"] = server.tokenVariable;
  if (!headers.empty())
    entry[client.name == "codex" ? "http_headers" : "headers"] = std::move(headers);
  return entry;
}

// Claude Code sends its first request while servers still start, without their tools, unless the
// entry requires all of them.
Json withAlwaysLoad(const Client &client, Json entry) {
  if (client.name == "claude-code") entry["alwaysLoad"] = true;
  return entry;
}

void addTexts(const Json &words, StartedServer &started) {
  for (const Json &word : words) {
    started.areWordsTexts = started.areWordsTexts && word.is_string();
    if (word.is_string()) started.words.push_back(word.get<std::string>());
  }
}

} // namespace

Result<Json> entryFor(const Client &client, const ClientServer &server, const std::string &name) {
  if (server.url.empty())
    return withAlwaysLoad(client, localEntry(client, server, server.arguments, name));
  if (!needsConnect(client, server))
    return withAlwaysLoad(client, remoteEntry(client, server, name));
  if (client.name == "claude-desktop" && !server.tokenVariable.empty())
    return Failure{Fault::InvalidInput,
                   "Claude Desktop starts servers without the variables of your shell: name a file "
                   "with --token-file, or a command with --token-command, in place of --token-env"};
  // Refuse a field that connect would refuse.
  for (const auto &[field, value] : server.headers)
    if (const std::string variable = settings::unresolvedVariable(value);
        !variable.empty() && fieldHoldsSecret(field) && !expandsVariables(client))
      return Failure{Fault::InvalidInput, "--header: " + field + ": " + std::string(client.title) +
                                              " does not look up the variable " + variable +
                                              ": write ${env:" + variable +
                                              "}, which skillhost connect does"};
  return withAlwaysLoad(client, localEntry(client, server, connectArguments(server), name));
}

std::vector<std::string> entryPath(const Client &client, const Json &document,
                                   const std::string &name) {
  // Its second version has one level more. In the first, an entry with that name has a type.
  if (client.name == "opencode")
    if (const Json *servers = edit::find(document, {"mcp", "servers"});
        servers != nullptr && servers->is_object() && !servers->contains("type"))
      return {"mcp", "servers", name};
  return {std::string(client.serversKey), name};
}

StartedServer startedServer(const Json &entry) {
  StartedServer started;
  if (!entry.is_object()) return started;
  const auto text = [&](const char *key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string{};
  };
  for (const char *key : {"url", "serverUrl", "httpUrl", "uri"})
    if (started.url.empty()) started.url = text(key);
  for (const char *key : {"command", "cmd"}) {
    const auto command = entry.find(key);
    if (command == entry.end()) continue;
    if (command->is_string()) started.words.push_back(command->get<std::string>());
    if (command->is_array()) addTexts(*command, started);
    // Zed's older form is one object.
    if (command->is_object()) {
      Json flat = Json::object();
      if (const auto path = command->find("path"); path != command->end() && path->is_string())
        flat["command"] = *path;
      if (const auto words = command->find("args"); words != command->end()) flat["args"] = *words;
      if (const auto variables = command->find("env"); variables != command->end())
        flat["env"] = *variables;
      return startedServer(flat);
    }
  }
  for (const char *key : {"env", "envs", "environment"})
    if (const auto variables = entry.find(key); variables != entry.end() && variables->is_object())
      for (const auto &one : variables->items())
        if (one.value().is_string()) started.variables.emplace(one.key(), one.value());
  if (const auto arguments = entry.find("args");
      arguments != entry.end() && !started.words.empty()) {
    started.areWordsTexts =
        started.areWordsTexts && (arguments->is_array() || arguments->is_null());
    if (arguments->is_array()) addTexts(*arguments, started);
  }
  return started;
}

} // namespace skillhost::app
