// SPDX-License-Identifier: Apache-2.0
// skillhost check PLUGIN: whether a plugin keeps its promises, one line a check.
#pragma once

#include "options.hpp"

namespace skillhost {

// The exit code: 0, warnings or not; 1 when a check failed or the file cannot be read.
int checkPlugin(const CheckSettings &settings, const app::Surroundings &surroundings);

} // namespace skillhost
