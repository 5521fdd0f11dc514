// SPDX-License-Identifier: Apache-2.0
// Limits the memory that sessions of one principal, or of one address without a known principal,
// use together: for the client's name and capabilities, subscriptions, loaded skills, and messages
// that are kept for clients that reconnect.
#pragma once

#include <atomic>
#include <cstddef>

namespace skillhost {

// Any thread.
class SessionBudget {
public:
  explicit SessionBudget(std::size_t maxBytes) noexcept : maxBytes_(maxBytes) {}

  // Counts the bytes. Returns false, and counts nothing, if that would exceed the limit.
  bool take(std::size_t bytes) noexcept {
    std::size_t now = taken_.load(std::memory_order_relaxed);
    do {
      if (bytes > maxBytes_ - now) return false;
    } while (!taken_.compare_exchange_weak(now, now + bytes, std::memory_order_relaxed));
    return true;
  }
  // Gives back bytes that take() has counted.
  void giveBack(std::size_t bytes) noexcept { taken_.fetch_sub(bytes, std::memory_order_relaxed); }

private:
  const std::size_t maxBytes_;
  std::atomic<std::size_t> taken_{0};
};

} // namespace skillhost
