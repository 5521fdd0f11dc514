// SPDX-License-Identifier: Apache-2.0
// What `skillhost skill` was told of a store, and `skillhost key`.
#pragma once

#include "app/command_line.hpp"
#include "command_line/parser.hpp"

namespace skillhost::app {

// Is it a command of `skill` that is about a store, with these arguments?
bool concernsStore(const ParsedArguments &given);
// Is the configuration needed too: for a skill of the catalogue that is saved, or for what its
// sources hold an imported one to?
bool needsConfiguration(const ParsedArguments &given);
// For those that concern a store, and for `key`.
Result<Invocation> storeInvocation(const ParsedArguments &given, const Surroundings &surroundings);

} // namespace skillhost::app
