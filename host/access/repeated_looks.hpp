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
struct Look {
  std::string issuer, subject; // the principal; both are empty if it is unknown
  std::string uri, address;
  auto operator<=>(const Look &) const = default;
};

// Any thread.
class RepeatedLooks {
public:
  using Moment = std::chrono::steady_clock::time_point;
  // Receives the number of reads that were not reported one by one. Called on a thread of its own
  // or of a caller; one call at a time.
  using Tell = std::function<void(const Look &look, std::size_t count)>;

  // `most` is the number of reads that are remembered. Further ones are reported one by one, so
  // that none is lost.
  RepeatedLooks(std::size_t most, std::chrono::milliseconds span, Tell tell)
      : most_(most), span_(span), tell_(std::move(tell)) {}
  // Reports the remaining counts.
  ~RepeatedLooks();
  RepeatedLooks(const RepeatedLooks &) = delete;
  RepeatedLooks &operator=(const RepeatedLooks &) = delete;

  // Returns true if this read has to be reported now; otherwise it is counted.
  bool isFirst(const Look &look);
  void tellCounts() { tellUntil(Moment::max()); } // before their spans are over

private:
  struct Since {
    Moment begin;
    std::size_t count = 0; // reads that were not reported
  };
  void tellUntil(Moment now);
  void lookLater(); // the caller holds mutex_

  const std::size_t most_;
  const std::chrono::milliseconds span_;
  const Tell tell_;
  std::mutex mutex_, telling_; // the second is locked before the first
  std::map<Look, Since> looks_;
  bool waits_ = false; // the timer is set for the end of a span
  bool isEnding_ = false;
  std::unique_ptr<Timer> timer_;
};

} // namespace skillhost
