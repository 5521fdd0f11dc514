// SPDX-License-Identifier: Apache-2.0
// Describes the commands of `skillhost skill` for a store, and `skillhost key`.
#pragma once

#include "commandline/description.hpp"

#include <vector>

namespace skillhost::app {

// Returns the commands below `skill` that use a store or a registry.
std::vector<CommandDescription> storeDescriptions(const ArgumentDescription &help,
                                                  const ArgumentDescription &json);
CommandDescription keyDescription(const ArgumentDescription &help);

} // namespace skillhost::app
