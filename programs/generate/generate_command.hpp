// SPDX-License-Identifier: Apache-2.0
// Describes the arguments of `skillhost generate`.
#pragma once

#include "commandline/description.hpp"

#include <span>
#include <string>

namespace skillhost::app {

CommandDescription generateDescription(const ArgumentDescription &help,
                                       const ArgumentDescription &json, const char *group);

// The words behind the first "--" of `generate` are a command of somebody else's: none of them is
// an option of ours. The arguments before that mark; all when there is none.
std::span<const std::string> withoutServerCommand(std::span<const std::string> arguments);

} // namespace skillhost::app
