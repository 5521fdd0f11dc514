// SPDX-License-Identifier: Apache-2.0
// What the kernel says of this process.
#pragma once

#include <cstddef>

namespace skillhost {

// Resident memory. 0 when /proc cannot be read. Any thread.
std::size_t residentBytes() noexcept;

// Gives the kernel back what was freed and lies between what is used: after much work that is over,
// of so many things that milliseconds do not count. Any thread.
inline constexpr std::size_t muchWork = 1000;
void giveBackMemory() noexcept;

struct ProcessFigures {
  std::size_t residentBytes = 0, descriptors = 0, threads = 0;
};
// Counts them now: microseconds, not for every request.
ProcessFigures processFigures() noexcept;

} // namespace skillhost
