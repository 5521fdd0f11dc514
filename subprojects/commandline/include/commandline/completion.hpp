// SPDX-License-Identifier: Apache-2.0
// Completion scripts, generated from the description of the command line.
#pragma once

#include "commandline/description.hpp"

#include <string>
#include <string_view>

namespace skillhost::app {

inline constexpr std::string_view shellChoices = "bash|zsh|fish";

// `program` is the whole command line; its name is the completed command. Each script ends with a
// line feed, and its first comment says how to load it.
std::string bashCompletion(const CommandDescription &program);
std::string zshCompletion(const CommandDescription &program);
std::string fishCompletion(const CommandDescription &program);

} // namespace skillhost::app
