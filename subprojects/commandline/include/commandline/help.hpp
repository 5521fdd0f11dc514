// SPDX-License-Identifier: Apache-2.0
// Writes the text of --help.
#pragma once

#include "commandline/description.hpp"

#include <span>
#include <string>
#include <vector>

namespace skillhost::app {

// Returns the help for the last command of `path`, which leads there from the program itself.
std::string helpText(std::span<const CommandDescription *const> path);

// Returns the help for the last of these commands, each of which lies below the previous one.
std::string helpText(const CommandDescription &program, const std::vector<std::string> &commands);

} // namespace skillhost::app
