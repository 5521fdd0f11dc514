// SPDX-License-Identifier: Apache-2.0
// Deadline: a moment of the monotonic clock after which nobody needs the answer.
#pragma once

#include <chrono>

namespace skillhost {

class Deadline {
public:
  using Clock = std::chrono::steady_clock; // CLOCK_MONOTONIC

  static Deadline never() noexcept { return Deadline(Clock::time_point::max()); }
  static Deadline after(std::chrono::milliseconds span) noexcept {
    return Deadline(Clock::now() + span);
  }
  static Deadline at(Clock::time_point moment) noexcept { return Deadline(moment); }
  bool passed() const noexcept { return isNever() ? false : Clock::now() >= at_; }
  bool isNever() const noexcept { return at_ == Clock::time_point::max(); }
  Clock::time_point at() const noexcept { return at_; }

private:
  explicit Deadline(Clock::time_point moment) noexcept : at_(moment) {}
  Clock::time_point at_;
};

} // namespace skillhost
