// SPDX-License-Identifier: Apache-2.0
// Asks an MCP server for everything it offers.
#pragma once

#include "generate/server_channel.hpp"
#include "generate/server_description.hpp"
#include "ground/deadline.hpp"
#include "ground/result.hpp"

#include <string>

namespace skillhost {

// In revision 2026-07-28, or, when the server does not know it, after the handshake of the earlier
// ones; a server that ends at the first question is opened once more for that. Every page of every
// list that it declares, at most 10,000 entries and 128 MiB. `version` is that of this program.
// The failure says what the server did wrong, in one line.
Result<ServerDescription> introspect(const OpenServer &open, Deadline deadline,
                                     const std::string &version);

} // namespace skillhost
