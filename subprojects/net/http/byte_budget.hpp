// SPDX-License-Identifier: Apache-2.0
// Counts the bytes that are held for all requests together, and for those of one peer.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace skillhost::http {

// Any thread: an exchange ends on any.
class ByteBudget {
public:
  ByteBudget(std::size_t all, std::size_t eachPeer) : all_(all), eachPeer_(eachPeer) {}

  // False: it would be too many, and nothing was taken.
  bool take(std::string_view peer, std::size_t bytes);
  // What was taken before.
  void giveBack(std::string_view peer, std::size_t bytes) noexcept;

private:
  const std::size_t all_, eachPeer_;
  std::mutex mutex_;
  std::size_t taken_ = 0;
  std::map<std::string, std::size_t, std::less<>> byPeer_;
};

} // namespace skillhost::http
