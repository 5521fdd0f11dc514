// SPDX-License-Identifier: Apache-2.0
// One operation of a plugin, for the person who writes it: `skillhost try`.
#pragma once

#include <string>

namespace skillhost::check {

// In a process of its own. `board` is the descriptor of what the parent shares; what is found goes
// to the descriptor after it. The exit code: 0 when the plugin said SKH_OK, else 1.
int tryOperation(int board, const std::string &operation, const std::string &plugin);

} // namespace skillhost::check
