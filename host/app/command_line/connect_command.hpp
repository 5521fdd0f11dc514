// SPDX-License-Identifier: Apache-2.0
// What `skillhost connect` takes, and was told.
#pragma once

#include "app/command_line.hpp"
#include "command_line/description.hpp"
#include "command_line/parser.hpp"

namespace skillhost::app {

CommandDescription connectDescription(const ArgumentDescription &help, const char *group);
Result<Invocation> connectInvocation(const ParsedArguments &given,
                                     const Surroundings &surroundings);

} // namespace skillhost::app
