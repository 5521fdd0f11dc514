// SPDX-License-Identifier: Apache-2.0
// The process of one trial.
#pragma once

#include "bounds.hpp"

namespace skillhost::check {

// Takes what the plugin may do, how that is done, and the descriptors of the board, of the trial,
// of where to print what came back, and of where to tell what confines it. The exit code: 0 when
// the plugin said SKH_OK, else 1.
int tryOperation(const Bounds &bounds, Confine confine, int board, int trial, int output, int told);

} // namespace skillhost::check
