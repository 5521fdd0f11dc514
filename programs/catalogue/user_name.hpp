// SPDX-License-Identifier: Apache-2.0
// Names the user who runs a command.
#pragma once

#include <string>

namespace skillhost::app {

// Returns the user's name from the system's list of users, which no environment variable can
// change; "uid 1000" if the list does not have it.
std::string userName();

} // namespace skillhost::app
