// SPDX-License-Identifier: Apache-2.0
// How many refusals of one address are worth a line each: guesses must not fill a log. Each process
// has a log of its own, so replicas do not count together: it bounds lines, and lets nobody in.
#pragma once

#include "ground/timer.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

// Not for several threads at once.
class RefusalLimit {
public:
  using Moment = std::chrono::steady_clock::time_point;
  using Counts = std::vector<std::pair<std::string, std::size_t>>; // by address

  RefusalLimit(std::size_t each, std::chrono::milliseconds span) : each_(each), span_(span) {}

  // Whether this one is to be told. Addresses that are too many are taken for one, "others".
  bool tell(std::string_view address, Moment now);
  // When the span ends that is under way: then take() is to be called.
  Moment end() const noexcept { return begin_ + span_; }
  // What was not told, once its span is over; a new one begins then.
  Counts take(Moment now);

private:
  const std::size_t each_;
  const std::chrono::milliseconds span_;
  Moment begin_{};
  std::map<std::string, std::size_t, std::less<>> counts_; // since begin_
};

// The same with a clock: what was not told is counted, and the counts are told when the span is
// over. Any thread.
class Refusals {
public:
  // Once for each address; on a thread of its own, or on one that calls.
  using Tell = std::function<void(const std::string &address, std::size_t count)>;

  Refusals(std::size_t each, std::chrono::milliseconds span, Tell tell)
      : limit_(each, span), tell_(std::move(tell)) {}
  ~Refusals();
  Refusals(const Refusals &) = delete;
  Refusals &operator=(const Refusals &) = delete;

  // Whether this one is worth a line of its own. `address`: see networkOf().
  bool worthALine(std::string_view address);
  void tellCounts() { tellUntil(RefusalLimit::Moment::max()); } // though the span is not over

private:
  void tellUntil(RefusalLimit::Moment now);

  std::mutex mutex_;
  RefusalLimit limit_;
  const Tell tell_;
  bool waits_ = false; // the timer does, for the end of the span
  std::unique_ptr<Timer> timer_;
};

} // namespace skillhost
