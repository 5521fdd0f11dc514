// SPDX-License-Identifier: Apache-2.0
// Describes the options of `skillhost skill` for a store, and of `skillhost key`.
#pragma once

#include "commandline/description.hpp"
#include "commandline/parser.hpp"

#include <vector>

namespace skillhost::app {

// The commands below `skill` that are about a store or a registry, and those options of `list` and
// `info` that turn them to one.
std::vector<CommandDescription> storeDescriptions(const ArgumentDescription &help,
                                                  const ArgumentDescription &json);
std::vector<ArgumentDescription> storeOptions();
// Those of a command that saves one skill; see programs/shared/saving.hpp.
std::vector<ArgumentDescription> savingOptions();
CommandDescription keyDescription(const ArgumentDescription &help);

// Returns true if the options of `skill list` and `info` turn them to a store, which
// skillhost-store lists then.
bool concernsStore(const ParsedArguments &given);

} // namespace skillhost::app
