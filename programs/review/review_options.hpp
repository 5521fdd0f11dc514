// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "review_invocation.hpp"

namespace skillhost::app {

// Reads the command's own arguments. The configuration is read later.
Result<ReviewInvocation> reviewInvocation(const ParsedArguments &given,
                                          const Surroundings &surroundings);

} // namespace skillhost::app
