// SPDX-License-Identifier: Apache-2.0
// For commands that search: waits until the search plugin has finished with every skill.
#pragma once

#include "search/index.hpp"

#include <chrono>

namespace skillhost::app {

// Waits for the plugin's work after the commit, such as vectors, but for at most `timeout`. A line
// on a terminal shows the progress. Reports on stderr what answers lack, and why. Call it after
// Host::waitUntilReady().
void settleSearch(const Index &index, std::chrono::milliseconds timeout);

} // namespace skillhost::app
