// SPDX-License-Identifier: Apache-2.0
#include "command_line/client_config.hpp"

#include "base/json.hpp"
#include "configuration/yaml_text.hpp"

#include <nlohmann/json.hpp>

namespace skillhost::app {
namespace {

// For a POSIX shell; left bare where nothing needs quoting.
std::string shellWord(const std::string &text) {
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:@%+,";
  if (!text.empty() && text.find_first_not_of(safe) == std::string::npos) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out += '\'';
}

std::string json(std::string_view list, Json server) {
  Json document = Json::object();
  document[std::string(list)]["skillhost"] = std::move(server);
  return document.dump(2) + '\n';
}

std::string claudeCommand(const std::string &executable,
                          const std::vector<std::string> &arguments) {
  std::string out = "claude mcp add --scope user skillhost -- " + shellWord(executable);
  for (const std::string &argument : arguments) out += ' ' + shellWord(argument);
  return out + '\n';
}

std::string gooseExtension(const std::string &executable,
                           const std::vector<std::string> &arguments) {
  std::string out;
  appendYaml(out, "extensions",
             {{"skillhost",
               {{"enabled", true},
                {"type", "stdio"},
                {"name", "skillhost"},
                {"cmd", executable},
                {"args", arguments},
                {"envs", Json::object()},
                {"timeout", 300}}}},
             0);
  return out;
}

} // namespace

ClientSnippet clientSnippet(std::string_view client, const std::string &executable,
                            const std::vector<std::string> &arguments) {
  const Json server = {{"command", executable}, {"args", arguments}};
  if (client == "claude-code")
    return {claudeCommand(executable, arguments),
            "Run this once. For one project only, put `skillhost client-config json` into its "
            ".mcp.json instead."};
  if (client == "goose")
    return {gooseExtension(executable, arguments), "Merge this into ~/.config/goose/config.yaml."};
  if (client == "vscode") {
    Json typed = {{"type", "stdio"}};
    typed.update(server);
    return {json("servers", std::move(typed)), "Merge this into .vscode/mcp.json."};
  }
  if (client == "claude-desktop")
    return {json("mcpServers", server),
            "Merge this into claude_desktop_config.json (Settings, Developer, Edit Config)."};
  if (client == "cursor")
    return {json("mcpServers", server),
            "Merge this into ~/.cursor/mcp.json, or .cursor/mcp.json of one project."};
  return {json("mcpServers", server), "Most clients read this form; Claude Code from .mcp.json."};
}

} // namespace skillhost::app
