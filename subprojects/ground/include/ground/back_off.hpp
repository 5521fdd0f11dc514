// SPDX-License-Identifier: Apache-2.0
// How long to wait before the next attempt: longer after each failure. One thread at a time.
#pragma once

#include <chrono>

namespace skillhost {

struct BackOffRules {
  std::chrono::milliseconds first, longest; // 0 < first <= longest
  // The part of a wait, from 0 to 1, by which it may be shorter, at random: those who wait for the
  // same thing do not all come back at the same moment.
  double spread = 0;
};

class BackOff {
public:
  explicit BackOff(BackOffRules rules) noexcept : rules_(rules), next_(rules.first) {}

  // After a failure: the first wait, then twice as long each time, at most the longest one.
  std::chrono::milliseconds next();
  // After a success: the next wait is the first one again.
  void reset() noexcept { next_ = rules_.first; }

private:
  BackOffRules rules_;
  std::chrono::milliseconds next_;
};

} // namespace skillhost
