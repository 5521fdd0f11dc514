// SPDX-License-Identifier: Apache-2.0
// What people are told of the plugins.
#pragma once

#include "plugin/registry.hpp"

#include <chrono>
#include <vector>

namespace skillhost::app {

// Waits, but not for long, for those that say that they do not know yet how they are.
inline std::vector<PluginDescription> describeStarted(PluginRegistry &plugins) {
  plugins.waitUntilStarted(Deadline::after(std::chrono::seconds(30)));
  return plugins.describe(true);
}

} // namespace skillhost::app
