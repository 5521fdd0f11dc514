// SPDX-License-Identifier: Apache-2.0
// Opens a file that lines are appended to, and that its owner alone reads.
#pragma once

#include "ground/descriptor.hpp"

#include <string>

namespace skillhost {

// Makes the file if it is not there, and gives it mode 0600; the mode of a device stays. None, with
// errno, if it cannot be opened, if a link is at the path, or if it is a pipe that nobody reads.
// The call waits for nothing, and neither does a write to the descriptor. Any thread.
Descriptor openForAppending(const std::string &path);

} // namespace skillhost
