// SPDX-License-Identifier: Apache-2.0
// --help.
#pragma once

#include "commandline/description.hpp"

#include <span>
#include <string>
#include <vector>

namespace skillhost::app {

// Help for the last command of `path`, which leads there from the program itself.
std::string helpText(std::span<const CommandDescription *const> path);

// Help for the last of these commands, each of which is one of the command before it.
std::string helpText(const CommandDescription &program, const std::vector<std::string> &commands);

} // namespace skillhost::app
