// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "review_invocation.hpp"

namespace skillhost::app {

// What the command itself was given; the configuration is not read yet.
Result<ReviewInvocation> reviewInvocation(const ParsedArguments &given,
                                          const Surroundings &surroundings);

} // namespace skillhost::app
