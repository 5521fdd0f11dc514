// SPDX-License-Identifier: Apache-2.0
// Runs plugins in processes of their own, if this program was built with isolation/.
#pragma once

#include "plugin_calls/isolation.hpp"

#include <memory>
#include <string>

namespace skillhost::app {

// `executable` is the absolute path of skillhost, from which skillhost-runner is found. Returns
// null if this program was built without isolation/.
std::shared_ptr<const PluginIsolation> pluginIsolation(const std::string &executable);

} // namespace skillhost::app
