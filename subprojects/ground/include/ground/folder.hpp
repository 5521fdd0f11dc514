// SPDX-License-Identifier: Apache-2.0
// Reads folders even when memory is short, where the iterators of std::filesystem would end the
// process.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

namespace skillhost {

// Returns the names of at most `maxNames` entries of a folder, without "." and "..", in no order.
// If the folder cannot be read completely, sets `error` and returns the names read so far. Throws
// std::bad_alloc if there is no memory.
std::vector<std::string> namesIn(const std::string &folder, std::error_code &error,
                                 std::size_t maxNames = std::numeric_limits<std::size_t>::max());
// Does the same for the folder that is open as `folder`. That descriptor keeps its position.
std::vector<std::string> namesIn(int folder, std::error_code &error,
                                 std::size_t maxNames = std::numeric_limits<std::size_t>::max());

} // namespace skillhost
