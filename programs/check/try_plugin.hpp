// SPDX-License-Identifier: Apache-2.0
// skillhost try PLUGIN OPERATION: one call, and what came back.
#pragma once

#include "options.hpp"

namespace skillhost {

// The exit code: 0 when the plugin said SKH_OK, else 1.
int tryPlugin(const CheckSettings &settings, const app::Surroundings &surroundings);

} // namespace skillhost
