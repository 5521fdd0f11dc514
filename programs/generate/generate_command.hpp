// SPDX-License-Identifier: Apache-2.0
// Describes the arguments of `skillhost generate`.
#pragma once

#include "commandline/description.hpp"

#include <span>
#include <string>

namespace skillhost::app {

CommandDescription generateDescription(const ArgumentDescription &help,
                                       const ArgumentDescription &json, const char *group);

// Returns the arguments before the first "--", or all if there is none. The words behind "--" are
// the server's command, so they are no options of ours.
std::span<const std::string> withoutServerCommand(std::span<const std::string> arguments);

} // namespace skillhost::app
