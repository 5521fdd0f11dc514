// SPDX-License-Identifier: Apache-2.0
// The clients that are known here: where each keeps its servers, and how one is written there.
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

// "a|b|c", as the command line describes choices; "json" is any client that reads mcpServers.
inline constexpr std::string_view clientChoices =
    "claude-code|claude-desktop|vscode|cursor|windsurf|zed|codex|gemini-cli|goose|opencode|json";

struct Client {
  std::string_view name;  // as the command line has it
  std::string_view title; // as people know it
  edit::Format format;
  std::string_view list;    // the key of its servers
  std::string_view project; // its file in a project's folder; empty: it has none
  std::string_view then;    // one sentence for after it was written; empty: none
};

std::span<const Client> clients();
const Client *clientNamed(std::string_view name);

// The file of the user's own, absolute; empty when the client has none, or HOME is not set.
std::string userFileOf(const Client &client, const Surroundings &surroundings);
// That of the project in the working directory; empty when it has none.
std::string projectFileOf(const Client &client, const Surroundings &surroundings);

// What a client is to start, or to reach.
struct ClientServer {
  std::string executable;             // absolute, of this program
  std::vector<std::string> arguments; // of a local start
  std::string url;                    // of a server over HTTP; empty: a local start
  std::vector<std::pair<std::string, std::string>> headers;
  std::string tokenVariable; // of the environment; at most one of these three
  std::string tokenFile, tokenCommand;
  bool allowPlainToken = false; // over http:// to another machine
  bool throughConnect = false;  // by `skillhost connect`, though the client could do without
};

// The entry of one server. Fails where the client cannot do what is asked, with what to do.
Result<Json> entryFor(const Client &client, const ClientServer &server, const std::string &name);
// Where it belongs in a document that says this.
std::vector<std::string> entryPath(const Client &client, const Json &document,
                                   const std::string &name);

// What an entry starts, as words, or the URL that it names; both empty for anything else.
struct Started {
  std::vector<std::string> words;
  std::string url;
  std::map<std::string, std::string> variables; // that it adds to the environment, as written
};
Started startedBy(const Json &entry);

} // namespace skillhost::app
