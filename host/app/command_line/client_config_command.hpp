// SPDX-License-Identifier: Apache-2.0
// What `skillhost client-config` takes, and was told.
#pragma once

#include "app/command_line.hpp"
#include "commandline/parser.hpp"

namespace skillhost::app {

CommandDescription clientConfigDescription(const ArgumentDescription &help);
Result<Invocation> clientConfigInvocation(const ParsedArguments &given,
                                          const Surroundings &surroundings);

} // namespace skillhost::app
