// SPDX-License-Identifier: Apache-2.0
// Runs plugins in confined processes, as the host's PluginIsolation.
#pragma once

#include "plugin_calls/isolation.hpp"

#include <memory>
#include <string>

namespace skillhost {

// `runner` is the absolute path of skillhost-runner, which each process executes. A start fails if
// users other than root and this one can write that file.
std::shared_ptr<const PluginIsolation> makeIsolation(std::string runner);

} // namespace skillhost
