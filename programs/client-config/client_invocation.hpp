// SPDX-License-Identifier: Apache-2.0
// What `skillhost client-config` was told.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::app {

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

struct ClientInvocation {
  enum class Action : std::uint8_t { Print, Write, Remove };
  Action action = Action::Print;
  std::string client;
  std::string name = "skillhost"; // of the entry
  std::string file;               // absolute
  ClientServer server;
};

} // namespace skillhost::app
