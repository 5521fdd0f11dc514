// SPDX-License-Identifier: Apache-2.0
#include "repeated_looks.hpp"

#include "base/log.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace skillhost {

RepeatedLooks::~RepeatedLooks() {
  {
    const std::scoped_lock lock(mutex_);
    isEnding_ = waits_ = true; // the timer is not set again
  }
  timer_.reset(); // it uses the other members
  tellCounts();
}

bool RepeatedLooks::isFirst(const Look &look) {
  const auto now = Moment::clock::now();
  // If the timer's thread could not be started, the next caller reports the counts.
  tellUntil(now);
  const std::scoped_lock lock(mutex_);
  if (const auto known = looks_.find(look); known != looks_.end()) {
    ++known->second.count;
    return false;
  }
  if (looks_.size() >= most_) return true;
  looks_.emplace(look, Since{now});
  lookLater();
  return true;
}

// Reports the counts of the spans that are over. A read that was not repeated in its last span is
// forgotten, so that the next one counts as first.
void RepeatedLooks::tellUntil(Moment now) {
  const std::scoped_lock telling(telling_);
  std::vector<std::pair<Look, std::size_t>> counts;
  {
    const std::scoped_lock lock(mutex_);
    for (auto one = looks_.begin(); one != looks_.end();) {
      auto &[look, since] = *one;
      if (now < since.begin + span_) {
        ++one;
        continue;
      }
      const std::size_t count = std::exchange(since.count, 0);
      if (count != 0) counts.emplace_back(look, count);
      since.begin = std::min(now, Moment::clock::now());
      one = count == 0 ? looks_.erase(one) : std::next(one);
    }
  }
  for (const auto &[look, count] : counts) tell_(look, count);
}

void RepeatedLooks::lookLater() {
  if (looks_.empty() || std::exchange(waits_, true)) return;
  const auto next =
      std::min_element(looks_.begin(), looks_.end(), [](const auto &a, const auto &b) {
        return a.second.begin < b.second.begin;
      });
  try {
    if (!timer_) timer_ = std::make_unique<Timer>();
    timer_->at(next->second.begin + span_, [this] {
      tellUntil(Moment::clock::now());
      const std::scoped_lock lock(mutex_);
      waits_ = isEnding_;
      lookLater();
    });
  } catch (const std::system_error &why) {
    waits_ = false;
    log::warning("audit", why.what());
  }
}

} // namespace skillhost
