// SPDX-License-Identifier: Apache-2.0
// Lets allocations of the calling thread fail, for programs that failing_memory.cpp is a source of.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skillhost {

enum class Lack : std::uint8_t { Once, Lasting };

// From now on `successes` calls of operator new succeed, and the next one fails: that one alone, or
// all until haveMemory().
void lackMemory(std::size_t successes, Lack lack) noexcept;
void haveMemory() noexcept;
// How many have failed so far, of all threads.
std::size_t failedAllocations() noexcept;

// Calls body() again and again, so that each of its allocations fails once: with the first, the
// second and so on. Its exceptions are for itself to catch. Returns how many allocations there are.
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
