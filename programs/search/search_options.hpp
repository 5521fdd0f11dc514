// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "configuration/read_configuration.hpp"
#include "search_invocation.hpp"

namespace skillhost::app {

// Reads the command's own arguments. The configuration is read later.
Result<SearchInvocation> searchInvocation(const ParsedArguments &given,
                                          const Surroundings &surroundings);

// For --evaluate: puts the folders it was given in the place of the sources of `read`, and reads
// the configuration to compare with.
Status takeEvaluation(const ParsedArguments &given, const Given &settings,
                      const Surroundings &surroundings, ReadConfiguration &read,
                      SearchInvocation &search);

} // namespace skillhost::app
