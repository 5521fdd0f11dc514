// SPDX-License-Identifier: Apache-2.0
// Computes the wait before the next attempt, which grows after each failure. Used by one thread at
// a time.
#pragma once

#include <chrono>

namespace skillhost {

struct BackOffRules {
  std::chrono::milliseconds first, maxPause; // 0 < first <= longest
  // The share of a wait, from 0 to 1, by which it may be randomly shorter, so that many clients do
  // not return at the same moment.
  double spread = 0;
};

class BackOff {
public:
  explicit BackOff(BackOffRules rules) noexcept : rules_(rules), next_(rules.first) {}

  // Call it after a failure. Returns the first wait, then twice as long each time, up to the
  // longest.
  std::chrono::milliseconds next();
  // Call it after a success: the next wait is the first one again.
  void reset() noexcept { next_ = rules_.first; }

private:
  BackOffRules rules_;
  std::chrono::milliseconds next_;
};

} // namespace skillhost
