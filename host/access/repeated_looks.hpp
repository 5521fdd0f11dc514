// SPDX-License-Identifier: Apache-2.0
// Looks that a program takes again and again, such as a page that polls: the first is told at once,
// the rest as one count for each span.
#pragma once

#include "ground/timer.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

// Who looks at what, and from where: another address of the same person is worth a line.
struct Look {
  std::string issuer, subject; // the principal; both empty: nobody was asked
  std::string uri, address;
  auto operator<=>(const Look &) const = default;
};

// Any thread.
class RepeatedLooks {
public:
  using Moment = std::chrono::steady_clock::time_point;
  // Of `count` looks that were not told one by one. On a thread of its own, or on one that calls;
  // one call at a time.
  using Tell = std::function<void(const Look &look, std::size_t count)>;

  // `most`: looks that are remembered. Those beyond are told one by one: no look goes untold.
  RepeatedLooks(std::size_t most, std::chrono::milliseconds span, Tell tell)
      : most_(most), span_(span), tell_(std::move(tell)) {}
  // Tells what is left.
  ~RepeatedLooks();
  RepeatedLooks(const RepeatedLooks &) = delete;
  RepeatedLooks &operator=(const RepeatedLooks &) = delete;

  // Whether this one is to be told now; else it is counted.
  bool isFirst(const Look &look);
  void tellCounts() { tellUntil(Moment::max()); } // though the spans are not over

private:
  struct Since {
    Moment begin;
    std::size_t count = 0; // that was not told
  };
  void tellUntil(Moment now);
  void lookLater(); // under mutex_

  const std::size_t most_;
  const std::chrono::milliseconds span_;
  const Tell tell_;
  std::mutex mutex_, telling_; // the second before the first
  std::map<Look, Since> looks_;
  bool waits_ = false; // the timer does, for the end of a span
  bool isEnding_ = false;
  std::unique_ptr<Timer> timer_;
};

} // namespace skillhost
