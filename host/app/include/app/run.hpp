// SPDX-License-Identifier: Apache-2.0
// The program: from its arguments to its exit code.
#pragma once

#include "app/built_features.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// `arguments` without the program's name; `commit` that it was built from, or ""; `features` that
// it was built with. 0; 1 for a wrong command line or configuration; 2 when an authorization
// provider refuses at the start.
int run(const std::vector<std::string> &arguments, const std::string &commit,
        const BuiltFeatures &features);

} // namespace skillhost::app
