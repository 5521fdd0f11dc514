// SPDX-License-Identifier: Apache-2.0
// skillhost skill save | load | list | info | remove | verify | export | import | rollback | sign
// with a store, skillhost skill push | pull with a registry, and skillhost key new.
#pragma once

#include "app/configuration.hpp"
#include "options.hpp"

#include <string>

namespace skillhost {

// The exit code: 0, or 1 when something does not verify. What was asked for goes to stdout,
// everything else is said on stderr. `configuration`: see needsConfiguration(); `executable` is
// skillhost itself, which starts processes for plugins. Throws std::runtime_error when it could not
// be done.
int useStore(const StoreSettings &settings, const app::Configuration &configuration,
             const std::string &executable);

} // namespace skillhost
