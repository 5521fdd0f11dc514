// SPDX-License-Identifier: Apache-2.0
// Decides how many refusals of one address get a line each, so that guesses cannot fill a log. Each
// process has its own log, so replicas do not count together. This limits lines only; it never
// admits a request.
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

// Not thread-safe.
class RefusalLimit {
public:
  using Moment = std::chrono::steady_clock::time_point;
  using Counts = std::vector<std::pair<std::string, std::size_t>>; // by address

  RefusalLimit(std::size_t each, std::chrono::milliseconds span) : each_(each), span_(span) {}

  // Returns true if this refusal gets its own line. Above a limit of addresses, the further ones
  // count as one, "others".
  bool tell(std::string_view address, Moment now);
  // The end of the current span. Call take() then.
  Moment end() const noexcept { return begin_ + span_; }
  // Returns the counts of refusals without a line, once the span has ended. A new span begins with
  // the next refusal.
  Counts take(Moment now);

private:
  const std::size_t each_;
  const std::chrono::milliseconds span_;
  Moment begin_{};
  std::map<std::string, std::size_t, std::less<>> counts_; // all refusals since begin_
};

// A RefusalLimit with a clock: it reports the counts when the span has ended. May be used on any
// thread.
class Refusals {
public:
  // Called once for each address, on a thread of its own or on a calling thread.
  using Tell = std::function<void(const std::string &address, std::size_t count)>;

  Refusals(std::size_t each, std::chrono::milliseconds span, Tell tell)
      : limit_(each, span), tell_(std::move(tell)) {}
  ~Refusals();
  Refusals(const Refusals &) = delete;
  Refusals &operator=(const Refusals &) = delete;

  // Returns true if this refusal gets its own line. `address`: see networkOf().
  bool getsOwnLine(std::string_view address);
  void reportCounts() { reportUntil(RefusalLimit::Moment::max()); } // even within the span

private:
  void reportUntil(RefusalLimit::Moment now);

  std::mutex mutex_;
  RefusalLimit limit_;
  const Tell tell_;
  bool waits_ = false; // the timer waits for the end of the span
  std::unique_ptr<Timer> timer_;
};

} // namespace skillhost
