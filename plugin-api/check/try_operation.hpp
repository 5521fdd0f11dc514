// SPDX-License-Identifier: Apache-2.0
// Runs one operation of a plugin in the process of `skillhost try`.
#pragma once

#include "bounds.hpp"

namespace skillhost::check {

// Takes the plugin's rights, the function that confines, and four descriptors: the board, the
// trial, the output for the result, and the output for the description of the confinement. Returns
// exit code 0 if the plugin returned SKH_OK, otherwise 1.
int tryOperation(const Bounds &bounds, Confine confine, int board, int trial, int output,
                 int reportDescriptor);

} // namespace skillhost::check
