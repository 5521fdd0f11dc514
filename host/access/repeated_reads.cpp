// SPDX-License-Identifier: Apache-2.0
#include "repeated_reads.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace skillhost {

RepeatedReads::~RepeatedReads() {
  {
    const std::scoped_lock lock(mutex_);
    isEnding_ = isTimerSet_ = true; // the timer is not set again
  }
  timer_.reset(); // it uses the other members
  reportCounts();
}

bool RepeatedReads::isFirst(const RepeatedRead &read) {
  const auto now = Moment::clock::now();
  // If the timer's thread could not be started, the next caller reports the counts.
  reportUntil(now);
  const std::scoped_lock lock(mutex_);
  if (const auto known = reads_.find(read); known != reads_.end()) {
    ++known->second.count;
    return false;
  }
  if (reads_.size() >= maxReads_) return true;
  reads_.emplace(read, CurrentSpan{now});
  scheduleReport();
  return true;
}

// Reports the counts of the spans that are over. A read that was not repeated in its last span is
// forgotten, so that the next one counts as first.
void RepeatedReads::reportUntil(Moment now) {
  const std::scoped_lock reporting(reporting_);
  std::vector<std::pair<RepeatedRead, std::size_t>> counts;
  {
    const std::scoped_lock lock(mutex_);
    for (auto entry = reads_.begin(); entry != reads_.end();) {
      auto &[read, current] = *entry;
      if (now < current.begin + span_) {
        ++entry;
        continue;
      }
      const std::size_t count = std::exchange(current.count, 0);
      if (count != 0) counts.emplace_back(read, count);
      current.begin = std::min(now, Moment::clock::now());
      entry = count == 0 ? reads_.erase(entry) : std::next(entry);
    }
  }
  for (const auto &[read, count] : counts) report_(read, count);
}

void RepeatedReads::scheduleReport() {
  if (reads_.empty() || std::exchange(isTimerSet_, true)) return;
  const auto next =
      std::min_element(reads_.begin(), reads_.end(), [](const auto &a, const auto &b) {
        return a.second.begin < b.second.begin;
      });
  try {
    if (!timer_) timer_ = std::make_unique<Timer>();
    timer_->at(next->second.begin + span_, [this] {
      reportUntil(Moment::clock::now());
      const std::scoped_lock lock(mutex_);
      isTimerSet_ = isEnding_;
      scheduleReport();
    });
  } catch (const std::system_error &why) {
    isTimerSet_ = false;
    log::warning("audit", why.what());
  }
}

} // namespace skillhost
