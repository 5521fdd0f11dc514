// SPDX-License-Identifier: Apache-2.0
// A circuit breaker: calls that do not come back cost their callers a whole deadline, so after a
// few of them the next are refused at once, but for one now and then that finds out whether it is
// over.
#pragma once

#include "ground/back_off.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

namespace skillhost {

struct CircuitBreakerSettings {
  int faults = 3; // in a row, that open the circuit
  BackOffRules pauses{std::chrono::milliseconds(1'000), std::chrono::milliseconds(60'000)};
};

// Any thread.
class CircuitBreaker {
public:
  using Clock = std::chrono::steady_clock;
  explicit CircuitBreaker(CircuitBreakerSettings settings = {})
      : settings_(settings), pauses_(settings.pauses) {}

  // May a call go through? While open: none until the pause is over, then one at a time.
  bool allows(Clock::time_point now = Clock::now());
  // The call came back, whatever it said: the circuit closes.
  void succeeded();
  // The call never ran or its outcome says nothing: another may be the probe.
  void abandoned();
  // The call timed out. The pause after a failed probe is twice the one before.
  void timedOut(Clock::time_point now = Clock::now());

  // How long it stays open; nothing when calls go through.
  std::optional<std::chrono::milliseconds> pause(Clock::time_point now = Clock::now()) const;

private:
  const CircuitBreakerSettings settings_;
  mutable std::mutex mutex_;
  std::atomic<bool> quiet_{true}; // no fault since the last success: nothing to look up
  int faults_ = 0;
  bool open_ = false, probing_ = false;
  BackOff pauses_;
  Clock::time_point until_{};
};

} // namespace skillhost
