// SPDX-License-Identifier: Apache-2.0
// Limits how often something may happen: to a rate a second, with some more at once.
#pragma once

#include <algorithm>
#include <chrono>

namespace skillhost {

// Not for several threads at once.
class RateBudget {
public:
  using Clock = std::chrono::steady_clock;

  RateBudget(double perSecond, double burst) : rate_(perSecond), burst_(burst), left_(burst) {}

  // True if an event is allowed at `now`.
  bool allows(Clock::time_point now) {
    const double span = std::chrono::duration<double>(now - seen_).count();
    if (span > 0) {
      left_ = std::min(burst_, left_ + span * rate_);
      seen_ = now;
    }
    return left_ >= 1;
  }
  void spend() { left_ -= 1; }
  bool take(Clock::time_point now) {
    if (!allows(now)) return false;
    spend();
    return true;
  }

private:
  double rate_, burst_, left_;
  Clock::time_point seen_ = Clock::now();
};

} // namespace skillhost
