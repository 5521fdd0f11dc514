// SPDX-License-Identifier: Apache-2.0
// Reads that a program repeats, such as a page that polls: the first is reported at once, the
// others as one count for each span.
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

// The caller, the resource and the address. Another address of the same person is reported
// separately.
struct RepeatedRead {
  std::string issuer, subject; // the principal; both are empty if it is unknown
  std::string uri, address;
  auto operator<=>(const RepeatedRead &) const = default;
};

// Any thread.
class RepeatedReads {
public:
  using Moment = std::chrono::steady_clock::time_point;
  // Receives the number of reads that were not reported one by one. Called on a thread of its own
  // or of a caller; one call at a time.
  using Tell = std::function<void(const RepeatedRead &read, std::size_t count)>;

  // `maxReads` is the number of reads that are remembered. Further ones are reported one by one, so
  // that none is lost.
  RepeatedReads(std::size_t maxReads, std::chrono::milliseconds span, Tell tell)
      : maxReads_(maxReads), span_(span), tell_(std::move(tell)) {}
  // Reports the remaining counts.
  ~RepeatedReads();
  RepeatedReads(const RepeatedReads &) = delete;
  RepeatedReads &operator=(const RepeatedReads &) = delete;

  // Returns true if this read has to be reported now; otherwise it is counted.
  bool isFirst(const RepeatedRead &read);
  void reportCounts() { reportUntil(Moment::max()); } // before their spans are over

private:
  struct Since {
    Moment begin;
    std::size_t count = 0; // reads that were not reported
  };
  void reportUntil(Moment now);
  void scheduleReport(); // the caller holds mutex_

  const std::size_t maxReads_;
  const std::chrono::milliseconds span_;
  const Tell tell_;
  std::mutex mutex_, telling_; // the second is locked before the first
  std::map<RepeatedRead, Since> reads_;
  bool waits_ = false; // the timer is set for the end of a span
  bool isEnding_ = false;
  std::unique_ptr<Timer> timer_;
};

} // namespace skillhost
