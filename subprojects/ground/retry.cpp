// SPDX-License-Identifier: Apache-2.0
#include "ground/retry.hpp"

#include <utility>

namespace skillhost {

Retry::Retry(BackOffRules pauses, std::function<void()> again)
    : again_(std::move(again)), timer_(std::make_unique<Timer>()), pauses_(pauses) {}

// Called under the lock. A timer that fires at this moment still calls `again`, which does no harm.
void Retry::forget() {
  if (timer_) timer_->cancel(std::exchange(ticket_, {}));
}

void Retry::schedule() {
  const std::scoped_lock lock(mutex_);
  forget();
  if (!timer_) return;
  ticket_ = timer_->after(pauses_.next(), again_);
}

void Retry::drop() {
  const std::scoped_lock lock(mutex_);
  forget();
}

void Retry::reset() {
  const std::scoped_lock lock(mutex_);
  forget();
  pauses_.reset();
}

void Retry::end() {
  std::unique_ptr<Timer> last; // destroyed after the lock, because it waits for a running `again`
  const std::scoped_lock lock(mutex_);
  last = std::move(timer_);
}

} // namespace skillhost
