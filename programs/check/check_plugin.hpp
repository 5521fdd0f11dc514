// SPDX-License-Identifier: Apache-2.0
// skillhost check PLUGIN tests whether a plugin keeps its promises, with one line per check.
#pragma once

#include "options.hpp"

namespace skillhost {

// Returns the exit code: 0, even with warnings; 1 if a check failed, if checks that may apply could
// not be run, for example without a configuration, or if the file cannot be read.
int checkPlugin(const CheckSettings &settings, const app::Surroundings &surroundings);

} // namespace skillhost
