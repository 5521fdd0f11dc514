// SPDX-License-Identifier: Apache-2.0
// Counts the bytes that all requests hold, in total and for each peer.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace skillhost::http {

// May be used on any thread, because an exchange may end on any thread.
class ByteBudget {
public:
  ByteBudget(std::size_t all, std::size_t eachPeer) : all_(all), eachPeer_(eachPeer) {}

  // Returns false, and takes nothing, if a limit would be exceeded.
  bool take(std::string_view peer, std::size_t bytes);
  // Returns bytes that were taken before.
  void giveBack(std::string_view peer, std::size_t bytes) noexcept;

private:
  const std::size_t all_, eachPeer_;
  std::mutex mutex_;
  std::size_t taken_ = 0;
  std::map<std::string, std::size_t, std::less<>> byPeer_;
};

} // namespace skillhost::http
