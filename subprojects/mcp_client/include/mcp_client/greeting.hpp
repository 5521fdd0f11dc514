// SPDX-License-Identifier: Apache-2.0
// Opens a conversation with an MCP server of any revision.
#pragma once

#include "ground/deadline.hpp"
#include "ground/json.hpp"
#include "ground/result.hpp"
#include "mcp_client/conversation.hpp"
#include "mcp_client/server_channel.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace skillhost {

// A conversation that has begun, and the server's words about itself, which are a stranger's.
struct GreetedServer {
  Conversation conversation;
  Json params;          // the members that the params of every request need
  Json capabilities;    // null if the server names none
  Json serverInfo;      // null if the server names none
  std::string protocol; // the revision in use
  std::string instructions;
};

// Uses revision 2026-07-28, or the handshake of the earlier ones if the server does not know it. A
// server that ends at the first request is opened once more for that. `version` is this program's.
// A failure describes the server's fault in one line.
Result<GreetedServer> greet(const OpenServer &open, Deadline deadline, const std::string &version);

} // namespace skillhost
