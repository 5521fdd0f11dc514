// SPDX-License-Identifier: Apache-2.0
#include "retry.hpp"

#include <algorithm>
#include <utility>

namespace skillhost {

Retry::Retry(RetryPause pause, std::function<void()> again)
    : pause_(pause), again_(std::move(again)), timer_(std::make_unique<Timer>()),
      next_(pause.first) {}

// Under the lock. One that fires now finds that it came too late to be stopped, which does no harm.
void Retry::forget() {
  if (timer_) timer_->cancel(std::exchange(ticket_, {}));
}

void Retry::arrange() {
  const std::scoped_lock lock(mutex_);
  forget();
  if (!timer_) return;
  ticket_ = timer_->after(next_, again_);
  next_ = std::min(next_ * 2, pause_.longest);
}

void Retry::drop() {
  const std::scoped_lock lock(mutex_);
  forget();
}

void Retry::reset() {
  const std::scoped_lock lock(mutex_);
  forget();
  next_ = pause_.first;
}

void Retry::end() {
  std::unique_ptr<Timer> last; // ends after the lock: it waits for an `again` that runs
  const std::scoped_lock lock(mutex_);
  last = std::move(timer_);
}

} // namespace skillhost
