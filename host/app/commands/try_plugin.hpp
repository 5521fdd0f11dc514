// SPDX-License-Identifier: Apache-2.0
// skillhost try PLUGIN OPERATION: one call, and what came back.
#pragma once

#include "app/command_line.hpp"

#include <string>

namespace skillhost::app {

// The exit code: 0 when the plugin said SKH_OK, else 1.
int tryPlugin(const Invocation &invocation, const std::string &executable);

} // namespace skillhost::app
