// SPDX-License-Identifier: Apache-2.0
// A circuit breaker. A call that does not come back costs its caller a whole deadline, so after a
// few of them further calls are refused at once, except for one now and then that finds out if the
// plugin answers again.
#pragma once

#include "ground/back_off.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

namespace skillhost {

struct CircuitBreakerSettings {
  int faults = 3; // faults in a row that open the circuit
  BackOffRules pauses{std::chrono::milliseconds(1'000), std::chrono::milliseconds(60'000)};
};

// Any thread.
class CircuitBreaker {
public:
  using Clock = std::chrono::steady_clock;
  explicit CircuitBreaker(CircuitBreakerSettings settings = {})
      : settings_(settings), pauses_(settings.pauses) {}

  // True if a call may go through. While the circuit is open, none may until the pause has passed,
  // then one at a time.
  bool allows(Clock::time_point now = Clock::now());
  // The call came back, with any result: closes the circuit.
  void succeeded();
  // The call never ran, or its outcome says nothing: another call may be the probe.
  void abandoned();
  // The call timed out. The pause after a failed probe is twice the one before.
  void timedOut(Clock::time_point now = Clock::now());

  // Returns how long the circuit stays open; nothing if calls go through.
  std::optional<std::chrono::milliseconds> pause(Clock::time_point now = Clock::now()) const;

private:
  const CircuitBreakerSettings settings_;
  mutable std::mutex mutex_;
  std::atomic<bool> quiet_{true}; // no fault since the last success: no lock is needed
  int faults_ = 0;
  bool open_ = false, probing_ = false;
  BackOff pauses_;
  Clock::time_point until_{};
};

} // namespace skillhost
