// SPDX-License-Identifier: Apache-2.0
// The limits of the cache, and its statistics.
#pragma once

#include "base/pressure.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace skillhost {

// The first entry to evict: the least recently used, the least frequently used (of equals the least
// recently used), or the oldest.
enum class EvictionPolicy : std::uint8_t { Lru, Lfu, Fifo };

struct CacheRules {
  std::size_t bytes = 100U << 20U;
  std::size_t entries = 10'000;             // at this number, each new entry evicts one
  std::chrono::milliseconds ttl{3'600'000}; // 0: until evicted
  EvictionPolicy policy = EvictionPolicy::Lru;
  // Percent of `bytes`. An entry that would exceed the high mark evicts others down to the low
  // mark.
  // A low mark above the high one counts as high.
  std::size_t highWaterPercent = 90, lowWaterPercent = 70;
};

using CacheClock = std::chrono::steady_clock::time_point (*)() noexcept;
inline constexpr std::chrono::seconds cacheCleaning{60};

struct CacheStatistics {
  std::size_t entries = 0, bytes = 0, maxBytes = 0; // bytes: the exact sum of all entries
  std::uint64_t hits = 0, misses = 0, evictions = 0, expirations = 0;
  std::chrono::system_clock::time_point lastCleanup; // the epoch: never
  double hitRate() const noexcept {
    return hits + misses == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(hits + misses);
  }
  PressureLevel pressure() const noexcept { return pressureLevel(bytes, maxBytes); }
};

} // namespace skillhost
