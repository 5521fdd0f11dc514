// SPDX-License-Identifier: Apache-2.0
// Implements skillhost skill save | load | list | info | remove | verify | export | import |
// rollback | sign with a store, skillhost skill push | pull with a registry, and skillhost key new.
#pragma once

#include "app/configuration.hpp"
#include "options.hpp"

#include <string>

namespace skillhost {

// Returns the exit code: 0, or 1 if something does not verify. The result goes to stdout and
// everything else to stderr. `configuration`: see needsConfiguration(). `executable` is skillhost
// itself, which starts processes for plugins. Throws std::runtime_error if the action failed.
int useStore(const StoreSettings &settings, const app::Configuration &configuration,
             const std::string &executable);

} // namespace skillhost
