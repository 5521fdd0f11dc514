// SPDX-License-Identifier: Apache-2.0
// Makes allocations of the calling thread fail, in programs that have failing_memory.cpp as a
// source.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skillhost {

enum class Lack : std::uint8_t { Once, Lasting };

// Lets `successes` calls of operator new succeed and the next one fail: only that one, or all until
// haveMemory().
void lackMemory(std::size_t successes, Lack lack) noexcept;
void haveMemory() noexcept;
// Returns the number of failures so far in all threads.
std::size_t failedAllocations() noexcept;

// Calls body() repeatedly, so that each of its allocations fails in turn. body() must catch its
// exceptions. Returns the number of allocations.
template <class Body> std::size_t failEachAllocation(Lack lack, Body body) {
  for (std::size_t successes = 0;; ++successes) {
    const std::size_t before = failedAllocations();
    lackMemory(successes, lack);
    body();
    haveMemory();
    if (failedAllocations() == before) return successes;
  }
}

} // namespace skillhost
