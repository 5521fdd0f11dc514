// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "own_sources_invocation.hpp"

namespace skillhost::app {

// What the command itself was given. The configuration is to be read too, as far as it is there.
Result<OwnSourcesInvocation> ownSourcesInvocation(const ParsedArguments &given,
                                                  const Surroundings &surroundings);

} // namespace skillhost::app
