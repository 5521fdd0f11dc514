// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "own_sources_invocation.hpp"

namespace skillhost::app {

// Reads the command's own arguments. The configuration is read later, if its file exists.
Result<OwnSourcesInvocation> ownSourcesInvocation(const ParsedArguments &given,
                                                  const Surroundings &surroundings);

} // namespace skillhost::app
