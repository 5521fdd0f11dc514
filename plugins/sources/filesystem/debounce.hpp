// SPDX-License-Identifier: Apache-2.0
// Decides when to act on changes that arrive in bursts.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace skillhost::filesystem {

// It is due when no change has arrived for `quiet`, at the latest four times as long after the
// first.
class Debounce {
public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Debounce(std::chrono::milliseconds quiet) : quiet_(quiet) {}

  void touch(Time now) {
    if (!due_) latest_ = now + 4 * quiet_;
    due_ = std::min(now + quiet_, latest_);
  }
  void clear() { due_.reset(); }
  // Returns nothing if no change waits.
  std::optional<Time> due() const { return due_; }

private:
  std::chrono::milliseconds quiet_;
  std::optional<Time> due_;
  Time latest_;
};

} // namespace skillhost::filesystem
