// SPDX-License-Identifier: Apache-2.0
#include "client.hpp"

#include "settings/paths.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace skillhost::app {
namespace {

using edit::Format;

constexpr std::array<Client, 11> table{{
    {"claude-code", "Claude Code", Format::Json, "mcpServers", ".mcp.json",
     "See it with `claude mcp list`."},
    {"claude-desktop", "Claude Desktop", Format::Json, "mcpServers", "", "Restart Claude Desktop."},
    {"vscode", "VS Code", Format::Json, "servers", ".vscode/mcp.json",
     "Start it with the command MCP: List Servers."},
    {"cursor", "Cursor", Format::Json, "mcpServers", ".cursor/mcp.json", "Restart Cursor."},
    {"windsurf", "Windsurf", Format::Json, "mcpServers", "",
     "Press Refresh in the list of MCP servers."},
    {"zed", "Zed", Format::Json, "context_servers", ".zed/settings.json", ""},
    {"codex", "Codex", Format::Toml, "mcp_servers", ".codex/config.toml",
     "See it with `codex mcp list`."},
    {"gemini-cli", "Gemini CLI", Format::Json, "mcpServers", ".gemini/settings.json",
     "See it with `gemini mcp list`."},
    {"goose", "Goose", Format::Yaml, "extensions", "", "Start a new session."},
    {"opencode", "opencode", Format::Json, "mcp", "opencode.json",
     "See it with `opencode mcp list`."},
    {"json", "a client that reads mcpServers", Format::Json, "mcpServers", "", ""},
}};

} // namespace

std::span<const Client> clients() { return table; }

const Client *clientNamed(std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Client &one) { return one.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::string userFileOf(const Client &client, const Surroundings &surroundings) {
  const std::string home = surroundings.variable("HOME");
  const auto folderOr = [&](const char *variable, const char *inHome) {
    const std::string set = surroundings.variable(variable);
    return set.starts_with('/') ? set : home + inHome;
  };
  const std::string configuration = folderOr("XDG_CONFIG_HOME", "/.config");
  if (home.empty()) return {};
  if (client.name == "claude-code") return folderOr("CLAUDE_CONFIG_DIR", "") + "/.claude.json";
  if (client.name == "claude-desktop") return configuration + "/Claude/claude_desktop_config.json";
  if (client.name == "vscode") return configuration + "/Code/User/mcp.json";
  if (client.name == "cursor") return home + "/.cursor/mcp.json";
  if (client.name == "windsurf") return home + "/.codeium/windsurf/mcp_config.json";
  if (client.name == "zed") return configuration + "/zed/settings.json";
  if (client.name == "codex") return folderOr("CODEX_HOME", "/.codex") + "/config.toml";
  if (client.name == "gemini-cli") return home + "/.gemini/settings.json";
  if (client.name == "goose") return configuration + "/goose/config.yaml";
  if (client.name != "opencode") return {};
  // It reads both files; use the one that exists.
  const std::string withComments = configuration + "/opencode/opencode.jsonc";
  std::error_code unknown;
  return std::filesystem::exists(withComments, unknown) ? withComments
                                                        : configuration + "/opencode/opencode.json";
}

std::string projectFileOf(const Client &client, const Surroundings &surroundings) {
  if (client.projectFile.empty()) return {};
  return absolutePath(client.projectFile, surroundings.workingDirectory, surroundings);
}

} // namespace skillhost::app
