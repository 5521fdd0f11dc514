// SPDX-License-Identifier: Apache-2.0
// `skillhost generate`: a skill that documents an MCP server.
#pragma once

#include "options.hpp"

namespace skillhost {

// The exit code. What was written is said on stdout, everything else on stderr, where the errors of
// the server go too. SIGINT and SIGTERM end the server, and then this.
int generateSkill(const GenerateSettings &settings);

} // namespace skillhost
