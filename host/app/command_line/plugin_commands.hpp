// SPDX-License-Identifier: Apache-2.0
// What `skillhost check` and `skillhost try` were told.
#pragma once

#include "app/command_line.hpp"
#include "command_line/parser.hpp"

namespace skillhost::app {

Result<Invocation> checkInvocation(const ParsedArguments &given, const Surroundings &surroundings);
Result<Invocation> tryInvocation(const ParsedArguments &given, const Surroundings &surroundings);

} // namespace skillhost::app
