// SPDX-License-Identifier: Apache-2.0
// Figures of the kernel about this process, and a way to give memory back.
#pragma once

#include <cstddef>

namespace skillhost {

// Returns the resident memory in bytes, or 0 if /proc cannot be read. May be called on any thread.
std::size_t residentBytes() noexcept;

// Returns freed memory to the kernel, even pages between used blocks. It takes milliseconds, so
// call it only after work that has freed much: for example, when at least minItemsToGiveBack skills
// were read or indexed. May be called on any thread.
void giveBackMemory() noexcept;
inline constexpr std::size_t minItemsToGiveBack = 1000;

struct ProcessFigures {
  std::size_t residentBytes = 0, descriptors = 0, threads = 0;
};
// Counts now. This takes microseconds, so do not call it for every request.
ProcessFigures processFigures() noexcept;

} // namespace skillhost
