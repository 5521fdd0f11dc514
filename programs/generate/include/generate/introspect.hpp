// SPDX-License-Identifier: Apache-2.0
// Asks an MCP server for everything that it offers.
#pragma once

#include "generate/server_description.hpp"
#include "ground/deadline.hpp"
#include "ground/result.hpp"
#include "mcp_client/server_channel.hpp"

#include <string>

namespace skillhost {

// Uses revision 2026-07-28, or the handshake of the earlier ones if the server does not know it. A
// server that ends at the first request is opened once more for that. Reads every page of every
// declared list, at most 10,000 entries and 128 MiB. `version` is this program's. A failure
// describes the server's fault in one line.
Result<ServerDescription> introspect(const OpenServer &open, Deadline deadline,
                                     const std::string &version);

} // namespace skillhost
