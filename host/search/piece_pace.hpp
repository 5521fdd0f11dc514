// SPDX-License-Identifier: Apache-2.0
// How many entries an update puts at once: so few that something is found early, and so many that
// the commits themselves do not count.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace skillhost {

// One thread at a time.
class PiecePace {
public:
  using Duration = std::chrono::steady_clock::duration;

  // `longest`: no piece is made larger than one that took so long.
  explicit PiecePace(Duration longest) : longest_(longest) {}

  std::size_t entries() const noexcept { return entries_; } // of the next piece
  void updateBegins() noexcept {
    entries_ = first;
    least_ = Duration::max();
  }
  // A piece of entries() was read and committed in `whole`, of which the backend took `commit`.
  void pieceDone(Duration whole, Duration commit) noexcept {
    const Duration each = commit / entries_;
    least_ = std::min(least_, each);
    // Where a commit costs the more the more there is already, larger pieces make up for it.
    const bool grows = each > least_ + least_ / 4 && whole < longest_;
    if (whole < soon || grows) entries_ *= 2;
  }

private:
  static constexpr std::size_t first = 256;
  static constexpr std::chrono::milliseconds soon{100};

  const Duration longest_;
  std::size_t entries_ = first;
  Duration least_ = Duration::max(); // that an entry has taken of a commit
};

} // namespace skillhost
