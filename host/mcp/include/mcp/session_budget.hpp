// SPDX-License-Identifier: Apache-2.0
// The memory that the sessions of one principal, or of one address without a known principal, may
// hold together: what they said of themselves, subscribed to and loaded, and what is kept for
// clients that come back.
#pragma once

#include <atomic>
#include <cstddef>

namespace skillhost {

// Any thread.
class SessionBudget {
public:
  explicit SessionBudget(std::size_t maxBytes) noexcept : maxBytes_(maxBytes) {}

  // Returns false, and takes nothing, if that would be too much.
  bool take(std::size_t bytes) noexcept {
    std::size_t now = taken_.load(std::memory_order_relaxed);
    do {
      if (bytes > maxBytes_ - now) return false;
    } while (!taken_.compare_exchange_weak(now, now + bytes, std::memory_order_relaxed));
    return true;
  }
  // Returns bytes that were taken before.
  void giveBack(std::size_t bytes) noexcept { taken_.fetch_sub(bytes, std::memory_order_relaxed); }

private:
  const std::size_t maxBytes_;
  std::atomic<std::size_t> taken_{0};
};

} // namespace skillhost
