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
    isEnding_ = waits_ = true; // the timer is not set again
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
  reads_.emplace(read, Since{now});
  scheduleReport();
  return true;
}

// Reports the counts of the spans that are over. A read that was not repeated in its last span is
// forgotten, so that the next one counts as first.
void RepeatedReads::reportUntil(Moment now) {
  const std::scoped_lock telling(telling_);
  std::vector<std::pair<RepeatedRead, std::size_t>> counts;
  {
    const std::scoped_lock lock(mutex_);
    for (auto one = reads_.begin(); one != reads_.end();) {
      auto &[read, since] = *one;
      if (now < since.begin + span_) {
        ++one;
        continue;
      }
      const std::size_t count = std::exchange(since.count, 0);
      if (count != 0) counts.emplace_back(read, count);
      since.begin = std::min(now, Moment::clock::now());
      one = count == 0 ? reads_.erase(one) : std::next(one);
    }
  }
  for (const auto &[read, count] : counts) tell_(read, count);
}

void RepeatedReads::scheduleReport() {
  if (reads_.empty() || std::exchange(waits_, true)) return;
  const auto next =
      std::min_element(reads_.begin(), reads_.end(), [](const auto &a, const auto &b) {
        return a.second.begin < b.second.begin;
      });
  try {
    if (!timer_) timer_ = std::make_unique<Timer>();
    timer_->at(next->second.begin + span_, [this] {
      reportUntil(Moment::clock::now());
      const std::scoped_lock lock(mutex_);
      waits_ = isEnding_;
      scheduleReport();
    });
  } catch (const std::system_error &why) {
    waits_ = false;
    log::warning("audit", why.what());
  }
}

} // namespace skillhost
