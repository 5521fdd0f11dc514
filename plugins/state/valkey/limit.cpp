// SPDX-License-Identifier: Apache-2.0
#include "limit.hpp"

#include <algorithm>

namespace skillhost::valkey {

Limit::Limit(const skh::Call &call, Span timeout) : call_(&call), since_(Clock::now()) {
  const Span left = call.remaining(timeout);
  until_ = since_ + left;
  isCallDeadline_ = left < timeout;
}

Limit::Limit(const std::atomic<bool> &stop, Span timeout)
    : stop_(&stop), since_(Clock::now()), until_(since_ + timeout) {}

bool Limit::cancelled() const noexcept {
  return call_ != nullptr ? call_->cancelled() : stop_->load(std::memory_order_relaxed);
}

Limit Limit::shortened(Span timeout) const {
  Limit made = *this;
  made.since_ = Clock::now();
  if (made.since_ + timeout >= until_) return made;
  made.until_ = made.since_ + timeout;
  made.isCallDeadline_ = false;
  return made;
}

Limit::Span Limit::wait(const std::string &who) const {
  if (cancelled()) throw skh::Error(SKH_CANCELLED, "cancelled");
  const Clock::time_point now = Clock::now();
  if (now < until_) {
    const auto left = std::chrono::ceil<Span>(until_ - now);
    return std::min(left, slice);
  }
  const auto waited = std::chrono::duration_cast<Span>(now - since_).count();
  const std::string why = who + " has not answered within " + std::to_string(waited) + " ms";
  if (isCallDeadline_) throw skh::Error(SKH_DEADLINE, why);
  throw EngineSilent(why);
}

} // namespace skillhost::valkey
