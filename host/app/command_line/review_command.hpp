// SPDX-License-Identifier: Apache-2.0
// `review`: what waits for a decision, and the decisions.
#pragma once

#include "app/command_line.hpp"
#include "app/surroundings.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"

namespace skillhost::app {

CommandDescription reviewDescription(const ArgumentDescription &help,
                                     const ArgumentDescription &json, const char *group);

// What the command itself was given; the configuration is not read yet.
Result<ReviewInvocation> reviewInvocation(const ParsedArguments &given,
                                          const Surroundings &surroundings);

} // namespace skillhost::app
