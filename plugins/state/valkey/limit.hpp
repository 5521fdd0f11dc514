// SPDX-License-Identifier: Apache-2.0
// Limits the time of one operation, checks for cancellation, and defines the errors with which it
// may end.
#pragma once

#include <skillhost/plugin.hpp>

#include <atomic>
#include <chrono>
#include <string>

namespace skillhost::valkey {

// The connection is unusable. Commands sent through it may have been executed.
class ConnectionLost : public skh::Error {
public:
  explicit ConnectionLost(const std::string &why) : skh::Error(SKH_UNAVAILABLE, why) {}
};

// Nothing arrived for the longest time that the configuration allows.
class EngineSilent : public ConnectionLost {
public:
  using ConnectionLost::ConnectionLost;
};

// The engine answers but refuses the configured login, for example for a wrong password or a
// missing right.
class LoginRefused : public skh::Error {
public:
  explicit LoginRefused(const std::string &why) : skh::Error(SKH_INVALID, why) {}
};

// Only one thread may use it. Its arguments must outlive it.
class Limit {
public:
  using Clock = std::chrono::steady_clock;
  using Span = std::chrono::milliseconds;
  static constexpr Span slice{40}; // longest delay until a cancellation is noticed

  // Ends at the call's deadline, at the latest `timeout` from now.
  Limit(const skh::Call &call, Span timeout);
  // For a background thread of the plugin, which ends when `stop` is true.
  Limit(const std::atomic<bool> &stop, Span timeout);

  // Returns the time left, at most one slice. Throws skh::Error: SKH_CANCELLED; SKH_DEADLINE if the
  // call has no time left; EngineSilent if `timeout` has passed, because `who` has not answered.
  Span wait(const std::string &who) const;
  // Returns a limit for one of several attempts: `timeout` from now, but not longer than this
  // limit.
  Limit shortened(Span timeout) const;
  Clock::time_point since() const noexcept { return since_; }
  Clock::time_point until() const noexcept { return until_; }

private:
  bool cancelled() const noexcept;

  const skh::Call *call_ = nullptr;
  const std::atomic<bool> *stop_ = nullptr;
  Clock::time_point since_, until_;
  bool isCallDeadline_ = false; // the call's deadline comes first
};

} // namespace skillhost::valkey
