// SPDX-License-Identifier: Apache-2.0
// For commands that search: asks nothing before the search plugin has finished with every skill.
#pragma once

#include "search/index.hpp"

#include <chrono>

namespace skillhost::app {

// Waits for what the plugin does after the commit, such as vectors, but not longer than `most`; a
// line on a terminal says how far it is. Tells stderr what answers lack, and why. After
// Host::waitUntilReady().
void settleSearch(const Index &index, std::chrono::milliseconds most);

} // namespace skillhost::app
