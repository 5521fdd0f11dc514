// SPDX-License-Identifier: Apache-2.0
// Opens a file for appending lines that only its owner may read.
#pragma once

#include "ground/descriptor.hpp"

#include <string>

namespace skillhost {

// Makes the file if it is missing and gives it mode 0600; the mode of a device stays. Returns none
// and sets errno if the file cannot be opened, if the path is a link, or if it is a pipe that
// nobody reads. Neither this call nor a write to the descriptor waits. May be called on any thread.
Descriptor openForAppending(const std::string &path);

} // namespace skillhost
