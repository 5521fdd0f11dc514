// SPDX-License-Identifier: Apache-2.0
// The known clients: where each keeps its servers, and the form of an entry.
#pragma once

#include "app/surroundings.hpp"
#include "change.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::app {

// "a|b|c" is how the command line describes choices; "json" is any client that reads mcpServers.
inline constexpr std::string_view clientChoices =
    "claude-code|claude-desktop|vscode|cursor|windsurf|zed|codex|gemini-cli|goose|opencode|json";

struct Client {
  std::string_view name;  // on the command line
  std::string_view title; // for people
  edit::Format format;
  std::string_view serversKey;  // key of its list of servers
  std::string_view projectFile; // its file in a project's folder; empty: none
  std::string_view nextStep;    // a sentence to print after writing; empty: none
};

std::span<const Client> clients();
const Client *clientNamed(std::string_view name);

// Returns the user's own file as an absolute path; empty if the client has none, or HOME is not
// set.
std::string userFileOf(const Client &client, const Surroundings &surroundings);
// Returns the file of the project in the working directory; empty if there is none.
std::string projectFileOf(const Client &client, const Surroundings &surroundings);

// The server that a client starts or connects to.
struct ClientServer {
  std::string executable;             // absolute path of this program
  std::vector<std::string> arguments; // for a local start
  std::string url;                    // of an HTTP server; empty: a local start
  std::vector<std::pair<std::string, std::string>> headers;
  std::string tokenVariable; // an environment variable; at most one of these three is set
  std::string tokenFile, tokenCommand;
  bool allowPlainToken = false; // even over http:// to another machine
  bool throughConnect = false;  // uses `skillhost connect` even if the client could do without
};

// Returns the entry of one server. Fails, with a remedy, if the client does not support the
// request.
Result<Json> entryFor(const Client &client, const ClientServer &server, const std::string &name);
// Returns the path of the entry in this document.
std::vector<std::string> entryPath(const Client &client, const Json &document,
                                   const std::string &name);

// The words that an entry executes, or its URL; both empty for anything else.
struct StartedServer {
  std::vector<std::string> words;
  std::string url;
  std::map<std::string, std::string> variables; // additions to the environment, as written
  bool areWordsTexts =
      true; // false: its `args` or `command` is not only texts, so clients refuse it
};
StartedServer startedServer(const Json &entry);

} // namespace skillhost::app
