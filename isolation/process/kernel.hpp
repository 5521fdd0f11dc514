// SPDX-License-Identifier: Apache-2.0
// Finds out how far this machine's kernel can confine the process of a plugin.
#pragma once

#include "plugin_calls/isolation.hpp"

namespace skillhost::process {

// Confines a child process, which reports the result and ends. Must be called before this process
// has threads.
KernelFacts kernelFacts();

} // namespace skillhost::process
