// SPDX-License-Identifier: Apache-2.0
// Limits what an endless stream of notifications may send.
#pragma once

#include "remote/operation.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace skillhost::mcp_source {

// Used by one thread only.
class StreamAllowance {
public:
  using Clock = remote::Operation::Clock;

  explicit StreamAllowance(std::uint64_t bytesPerMinute) : bytesPerMinute_(bytesPerMinute) {}

  // Takes the sum of all bytes that have arrived by `now`. Throws remote::RemoteError, from then on
  // each time, if more than the allowance arrived within a minute.
  void take(std::uint64_t all, Clock::time_point now) {
    if (hasFailed_ || (now - begin_ < span && all - before_ > bytesPerMinute_)) {
      hasFailed_ = true;
      throw remote::RemoteError("the server sends more than " + std::to_string(bytesPerMinute_) +
                                " bytes a minute to say what changes");
    }
    if (now - begin_ < span) return;
    begin_ = now;
    before_ = all;
  }

private:
  static constexpr std::chrono::minutes span{1};

  const std::uint64_t bytesPerMinute_;
  Clock::time_point begin_{}; // of this minute
  std::uint64_t before_ = 0;  // bytes until then
  bool hasFailed_ = false;
};

} // namespace skillhost::mcp_source
