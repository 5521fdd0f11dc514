// SPDX-License-Identifier: Apache-2.0
// The program: from its arguments to its exit code.
#pragma once

#include <string>
#include <vector>

namespace skillhost::app {

// `arguments` without the program's name; `commit` that it was built from, or "". 0; 1 for a wrong
// command line or configuration; 2 when an authorization provider refuses at the start.
int run(const std::vector<std::string> &arguments, const std::string &commit);

} // namespace skillhost::app
