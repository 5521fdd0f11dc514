// SPDX-License-Identifier: Apache-2.0
// Describes the options of a store of skills, for each command that reads one or saves into it.
#pragma once

#include "commandline/description.hpp"
#include "commandline/parser.hpp"

#include <vector>

namespace skillhost::app {

inline constexpr const char *storeOptionsGroup = "Store options";

// The options of a command that reads.
std::vector<ArgumentDescription> storeOptions();
// The options of a command that saves one skill; see saving.hpp.
std::vector<ArgumentDescription> savingOptions();

// Single options of these.
ArgumentDescription storeDirectoryOption();
ArgumentDescription storeKeyOption();
std::vector<ArgumentDescription> storeTrustOptions();

// Returns true if the options of `skill list` and `info` name a store, so that skillhost-store
// handles the command.
bool concernsStore(const ParsedArguments &arguments);

} // namespace skillhost::app
