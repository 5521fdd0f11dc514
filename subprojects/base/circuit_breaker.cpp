// SPDX-License-Identifier: Apache-2.0
#include "base/circuit_breaker.hpp"

#include <algorithm>

namespace skillhost {

bool CircuitBreaker::allows(Clock::time_point now) {
  if (quiet_) return true;
  const std::scoped_lock lock(mutex_);
  if (!open_) return true;
  if (probing_ || now < until_) return false;
  probing_ = true;
  return true;
}

void CircuitBreaker::succeeded() {
  if (quiet_) return;
  const std::scoped_lock lock(mutex_);
  faults_ = 0;
  quiet_ = true;
  open_ = probing_ = false;
  pauses_.reset();
}

void CircuitBreaker::abandoned() {
  const std::scoped_lock lock(mutex_);
  probing_ = false;
}

void CircuitBreaker::timedOut(Clock::time_point now) {
  const std::scoped_lock lock(mutex_);
  ++faults_;
  quiet_ = false;
  // Calls from before the circuit opened add no information.
  if (open_ && !probing_) return;
  if (!open_ && faults_ < settings_.faults) return;
  open_ = true;
  probing_ = false;
  until_ = now + pauses_.next();
}

std::optional<std::chrono::milliseconds> CircuitBreaker::pause(Clock::time_point now) const {
  const std::scoped_lock lock(mutex_);
  if (!open_) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::max(until_ - now, Clock::duration::zero()));
}

} // namespace skillhost
