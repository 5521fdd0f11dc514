// SPDX-License-Identifier: Apache-2.0
// `skillhost generate` makes a skill that documents an MCP server.
#pragma once

#include "options.hpp"

namespace skillhost {

// Returns the exit code. Reports the result on stdout and everything else on stderr, which also
// gets the errors of the server. SIGINT and SIGTERM end the server, and then this process.
int generateSkill(const GenerateSettings &settings);

} // namespace skillhost
