// SPDX-License-Identifier: Apache-2.0
// What `skillhost add`, `remove`, `update` and `list` take, and were told.
#pragma once

#include "app/command_line.hpp"
#include "commandline/parser.hpp"

#include <vector>

namespace skillhost::app {

std::vector<CommandDescription> ownSourcesDescriptions(const ArgumentDescription &help,
                                                       const ArgumentDescription &json,
                                                       const ArgumentDescription &config);
bool concernsOwnSources(const ParsedArguments &given);
// Without the configuration, which is to be read too, as far as it is there.
Result<Invocation> ownSourcesInvocation(const ParsedArguments &given,
                                        const Surroundings &surroundings);

} // namespace skillhost::app
