// SPDX-License-Identifier: Apache-2.0
// How long one operation may wait, and whether its result is still wanted; and how it may end.
#pragma once

#include <skillhost/plugin.hpp>

#include <atomic>
#include <chrono>
#include <string>

namespace skillhost::valkey {

// The connection is of no more use. What was sent by it may have been done.
class Lost : public skh::Error {
public:
  explicit Lost(const std::string &why) : skh::Error(SKH_UNAVAILABLE, why) {}
};

// Nothing has come for as long as the configuration lets anybody wait.
class Silent : public Lost {
public:
  using Lost::Lost;
};

// The engine answers, and what is configured does not suffice: a wrong password, a missing right.
class Refused : public skh::Error {
public:
  explicit Refused(const std::string &why) : skh::Error(SKH_INVALID, why) {}
};

// One thread. What it was made of must outlive it.
class Limit {
public:
  using Clock = std::chrono::steady_clock;
  using Span = std::chrono::milliseconds;
  static constexpr Span slice{40}; // how late a cancellation may be noticed

  // Until the call's deadline, and at most `most` from now on.
  Limit(const skh::Call &call, Span most);
  // For a thread of the plugin's own, which ends when `stop` is true.
  Limit(const std::atomic<bool> &stop, Span most);

  // What is left, but at most a slice. Throws skh::Error: SKH_CANCELLED; SKH_DEADLINE, when the
  // call has no time left; Silent, when it is `most` that has passed: `who` has not answered.
  Span wait(const std::string &who) const;
  // One of several to be asked in turn: `most` from now on, but no longer than this one.
  Limit part(Span most) const;
  Clock::time_point since() const noexcept { return since_; }
  Clock::time_point until() const noexcept { return until_; }

private:
  bool cancelled() const noexcept;

  const skh::Call *call_ = nullptr;
  const std::atomic<bool> *stop_ = nullptr;
  Clock::time_point since_, until_;
  bool isCalls_ = false; // it is the call's deadline that comes first
};

} // namespace skillhost::valkey
