// SPDX-License-Identifier: Apache-2.0
// Reads folders where memory may be short: the iterators of std::filesystem end the process then.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

namespace skillhost {

// Returns the names of at most `most` entries of a folder, without "." and "..", in no order. If
// the folder cannot be read, or not to its end, it sets `error` and returns what it has read.
// Throws std::bad_alloc if there is no memory.
std::vector<std::string> namesIn(const std::string &folder, std::error_code &error,
                                 std::size_t most = std::numeric_limits<std::size_t>::max());
// The same for the folder that is open as `folder`; that descriptor keeps its position.
std::vector<std::string> namesIn(int folder, std::error_code &error,
                                 std::size_t most = std::numeric_limits<std::size_t>::max());

} // namespace skillhost
