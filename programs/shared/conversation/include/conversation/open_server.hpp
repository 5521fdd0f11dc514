// SPDX-License-Identifier: Apache-2.0
// The two ways in which a program reaches an MCP server: it starts it, or connects to it over HTTP.
#pragma once

#include "connection/settings.hpp"
#include "mcp_client/server_channel.hpp"

#include <string>
#include <vector>

namespace skillhost {

// Starts a program that speaks on its standard input and output; its errors go where ours go.
// `words` are its name and arguments. It leads its own process group and is ended by the end of its
// input, SIGTERM and SIGKILL, in this order, together with everything that it started. `stop` is a
// descriptor that becomes readable when we have to stop.
OpenServer programServer(std::vector<std::string> words, int stop);
// Connects to a URL through a Connector.
OpenServer remoteServer(ConnectSettings settings, int stop);

} // namespace skillhost
