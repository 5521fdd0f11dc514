// SPDX-License-Identifier: Apache-2.0
// What bounds the cache, and what it tells of itself.
#pragma once

#include "base/pressure.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace skillhost {

// What goes first: the least recently used, the least frequently used (of those used equally often
// the least recently used), the oldest.
enum class EvictionPolicy : std::uint8_t { Lru, Lfu, Fifo };

struct CacheRules {
  std::size_t bytes = 100U << 20U;
  std::size_t entries = 10'000;             // one goes for each that comes when there are so many
  std::chrono::milliseconds ttl{3'600'000}; // 0: until evicted
  EvictionPolicy policy = EvictionPolicy::Lru;
  // Percent of `bytes`: what would come to more than the high mark makes room down to the low one.
  std::size_t highWaterPercent = 90, lowWaterPercent = 70; // low above high counts as high
};

using CacheClock = std::chrono::steady_clock::time_point (*)() noexcept;
inline constexpr std::chrono::seconds cacheCleaning{60};

struct CacheStatistics {
  std::size_t entries = 0, bytes = 0, maxBytes = 0; // bytes: the exact sum of all entries
  std::uint64_t hits = 0, misses = 0, evictions = 0, expirations = 0;
  std::chrono::system_clock::time_point lastCleanup; // the epoch: never yet
  double hitRate() const noexcept {
    return hits + misses == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(hits + misses);
  }
  PressureLevel pressure() const noexcept { return pressureLevel(bytes, maxBytes); }
};

} // namespace skillhost
