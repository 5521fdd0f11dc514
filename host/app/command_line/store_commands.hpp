// SPDX-License-Identifier: Apache-2.0
// What `skillhost skill` was told of a store, and `skillhost key`.
#pragma once

#include "app/command_line.hpp"
#include "command_line/parser.hpp"

#include <vector>

namespace skillhost::app {

// The commands below `skill` that are about a store alone, and those options of `list` and `info`
// that turn them to one.
std::vector<CommandDescription> storeDescriptions(const ArgumentDescription &help,
                                                  const ArgumentDescription &json);
std::vector<ArgumentDescription> storeOptions();
// Those of a command that saves one skill, and what was given of them.
std::vector<ArgumentDescription> savingOptions();
Status readSaving(const ParsedArguments &given, const Surroundings &surroundings,
                  StoreInvocation &store);
CommandDescription keyDescription(const ArgumentDescription &help);

// Is it a command of `skill` that is about a store, with these arguments?
bool concernsStore(const ParsedArguments &given);
// Is the configuration needed too: for a skill of the catalogue that is saved, or for what its
// sources hold an imported one to?
bool needsConfiguration(const ParsedArguments &given);
// For those that concern a store, and for `key`.
Result<Invocation> storeInvocation(const ParsedArguments &given, const Surroundings &surroundings);

} // namespace skillhost::app
