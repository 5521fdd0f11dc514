// SPDX-License-Identifier: Apache-2.0
// skillhost try PLUGIN OPERATION makes one call and prints its result.
#pragma once

#include "options.hpp"

namespace skillhost {

// Returns the exit code: 0 if the plugin returned SKH_OK, else 1.
int tryPlugin(const CheckSettings &settings, const app::Surroundings &surroundings);

} // namespace skillhost
