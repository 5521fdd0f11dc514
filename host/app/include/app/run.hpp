// SPDX-License-Identifier: Apache-2.0
// Runs the program, from its arguments to its exit code.
#pragma once

#include "app/built_features.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// `arguments` lack the program's name; `commit` is the commit that it was built from, or "";
// `features` are those that it was built with. Returns 0; 1 for a wrong command line or
// configuration; 2 if an authorization provider refuses at the start.
int run(const std::vector<std::string> &arguments, const std::string &commit,
        const BuiltFeatures &features);

} // namespace skillhost::app
