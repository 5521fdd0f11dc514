// SPDX-License-Identifier: Apache-2.0
// --help.
#pragma once

#include "command_line/description.hpp"

#include <span>
#include <string>

namespace skillhost::app {

// Help for the last command of `path`, which leads there from the program itself.
std::string helpText(std::span<const CommandDescription *const> path);

} // namespace skillhost::app
