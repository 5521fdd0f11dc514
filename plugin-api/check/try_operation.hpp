// SPDX-License-Identifier: Apache-2.0
// The process of one trial.
#pragma once

namespace skillhost::check {

// Takes the descriptors of the board, of the trial, and of where to print what came back. The exit
// code: 0 when the plugin said SKH_OK, else 1.
int tryOperation(int board, int trial, int output);

} // namespace skillhost::check
