// SPDX-License-Identifier: Apache-2.0
// What this machine's kernel has to confine the process of a plugin with.
#pragma once

#include "plugin/isolation.hpp"

namespace skillhost::process {

// Confines a child that ends at once, and asks it. Before this process has threads.
KernelFacts kernelFacts();

} // namespace skillhost::process
