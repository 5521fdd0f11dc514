// SPDX-License-Identifier: Apache-2.0
// Counts reads that a program repeats, such as a page that polls. The first read is reported at
// once, and later ones as one count for each span of time.
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

// Identifies reads that are counted together: by caller, resource and address.
struct RepeatedRead {
  std::string issuer, subject; // the principal; both are empty if it is unknown
  std::string uri, address;
  auto operator<=>(const RepeatedRead &) const = default;
};

// Any thread.
class RepeatedReads {
public:
  using Moment = std::chrono::steady_clock::time_point;
  // Receives the number of reads that were not reported one by one. Called by one thread at a time:
  // the timer's thread, or one that calls isFirst() or the destructor.
  using Report = std::function<void(const RepeatedRead &read, std::size_t count)>;

  // Counts at most `maxReads` different reads. Further ones are reported one by one, so that none
  // is lost.
  RepeatedReads(std::size_t maxReads, std::chrono::milliseconds span, Report report)
      : maxReads_(maxReads), span_(span), report_(std::move(report)) {}
  // Reports the remaining counts.
  ~RepeatedReads();
  RepeatedReads(const RepeatedReads &) = delete;
  RepeatedReads &operator=(const RepeatedReads &) = delete;

  // Returns true if this read has to be reported now; otherwise it is counted.
  bool isFirst(const RepeatedRead &read);
  void reportCounts() { reportUntil(Moment::max()); } // before their spans are over

private:
  struct CurrentSpan {
    Moment begin;
    std::size_t count = 0; // reads since `begin` that are not reported yet
  };
  void reportUntil(Moment now);
  void scheduleReport(); // the caller holds mutex_

  const std::size_t maxReads_;
  const std::chrono::milliseconds span_;
  const Report report_;
  std::mutex mutex_, reporting_; // reporting_ is locked while report_ runs, and before mutex_
  std::map<RepeatedRead, CurrentSpan> reads_;
  bool isTimerSet_ = false; // for the end of a span
  bool isEnding_ = false;
  std::unique_ptr<Timer> timer_;
};

} // namespace skillhost
