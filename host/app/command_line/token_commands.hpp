// SPDX-License-Identifier: Apache-2.0
// What `skillhost token` was told.
#pragma once

#include "app/command_line.hpp"
#include "command_line/parser.hpp"

namespace skillhost::app {

CommandDescription tokenDescription();
Result<Invocation> tokenInvocation(const ParsedArguments &given, const Surroundings &surroundings);

} // namespace skillhost::app
