// SPDX-License-Identifier: Apache-2.0
// Describes the plugins for people.
#pragma once

#include "plugin/registry.hpp"

#include <chrono>
#include <vector>

namespace skillhost::app {

// Waits a short time for plugins that do not know their state yet.
inline std::vector<PluginDescription> describeStarted(PluginRegistry &plugins) {
  plugins.waitUntilStarted(Deadline::after(std::chrono::seconds(30)));
  return plugins.describe(true);
}

} // namespace skillhost::app
