// SPDX-License-Identifier: Apache-2.0
// The kernel's figures about this process.
#pragma once

#include <cstddef>

namespace skillhost {

// Returns the resident memory in bytes, or 0 if /proc cannot be read. May be called on any thread.
std::size_t residentBytes() noexcept;

// giveBackMemory() returns freed memory to the kernel, even between used blocks. It takes
// milliseconds, so call it only after much work: on at least `muchWork` items. May be called on any
// thread.
inline constexpr std::size_t muchWork = 1000;
void giveBackMemory() noexcept;

struct ProcessFigures {
  std::size_t residentBytes = 0, descriptors = 0, threads = 0;
};
// Counts now. This takes microseconds, so do not call it for every request.
ProcessFigures processFigures() noexcept;

} // namespace skillhost
