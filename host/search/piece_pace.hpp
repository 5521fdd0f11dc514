// SPDX-License-Identifier: Apache-2.0
// Decides how many entries an update puts at once: few enough that queries find something early,
// and enough that the commits themselves take little of the time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace skillhost {

// Must be used by one thread at a time.
class PiecePace {
public:
  using Duration = std::chrono::steady_clock::duration;

  // After a piece that took `maxPause`, no larger piece follows.
  explicit PiecePace(Duration maxPause) : maxPause_(maxPause) {}

  std::size_t entries() const noexcept { return entries_; } // of the next piece
  void updateBegins() noexcept {
    entries_ = first;
    least_ = Duration::max();
  }
  // A piece of entries() was read and committed in `whole`, of which the backend took `commit`.
  void pieceDone(Duration whole, Duration commit) noexcept {
    const Duration each = commit / entries_;
    least_ = std::min(least_, each);
    // If an entry costs more the more the index holds, larger pieces make up for it.
    const bool grows = each > least_ + least_ / 4 && whole < maxPause_;
    if (whole < soon || grows) entries_ *= 2;
  }

private:
  static constexpr std::size_t first = 256;
  static constexpr std::chrono::milliseconds soon{100};

  const Duration maxPause_;
  std::size_t entries_ = first;
  Duration least_ = Duration::max(); // the shortest time of a commit for each entry
};

} // namespace skillhost
