// SPDX-License-Identifier: Apache-2.0
// How long to wait before the next attempt: 0.2 s after the first failure, twice as long after each
// further one, 10 s at most, and each a random part of up to a half shorter, so that the clients of
// one server do not all come back in the same moment.
#pragma once

#include <algorithm>
#include <chrono>
#include <random>

namespace skillhost {

class Backoff {
public:
  std::chrono::milliseconds next() {
    const auto span = std::min(most, first * (1 << std::min(failures_++, 10)));
    return span - std::chrono::milliseconds(std::uniform_int_distribution<int>(
                      0, static_cast<int>(span.count() / 2))(random_));
  }
  void reset() noexcept { failures_ = 0; }

private:
  static constexpr std::chrono::milliseconds first{200}, most{10'000};
  int failures_ = 0;
  std::minstd_rand random_{std::random_device{}()};
};

} // namespace skillhost
