// SPDX-License-Identifier: Apache-2.0
#include "runtime/rate_limit.hpp"

#include <algorithm>

namespace skillhost {

// A bucket is one moment: when it will be full again. Each token taken moves it by the time a token
// takes to come back, and it may lie ahead by as many of these as the bucket holds.
std::optional<std::chrono::milliseconds> RateLimiter::take(std::string_view principal) {
  if (rules_.perSecond == 0) return std::nullopt;
  using namespace std::chrono;
  const nanoseconds step(1'000'000'000 / rules_.perSecond);
  const auto room = step * static_cast<std::int64_t>(std::max<std::size_t>(rules_.burst, 1));
  const std::scoped_lock lock(mutex_);
  const Clock::time_point now = now_();
  Bucket &bucket = bucketOf(principal);
  const Clock::time_point full = std::max(bucket.full, now) + step;
  if (full <= now + room) {
    bucket.full = full;
    return std::nullopt;
  }
  ++refused_;
  return ceil<milliseconds>(full - room - now);
}

RateLimiter::Bucket &RateLimiter::bucketOf(std::string_view principal) {
  if (const auto found = byPrincipal_.find(principal); found != byPrincipal_.end()) {
    buckets_.splice(buckets_.begin(), buckets_, found->second);
    return buckets_.front();
  }
  if (!buckets_.empty() && buckets_.size() >= rules_.principals) {
    byPrincipal_.erase(buckets_.back().principal);
    buckets_.pop_back();
  }
  buckets_.push_front({std::string(principal), {}});
  byPrincipal_.emplace(buckets_.front().principal, buckets_.begin());
  return buckets_.front();
}

RateLimiter::Statistics RateLimiter::statistics() const {
  const std::scoped_lock lock(mutex_);
  return {buckets_.size(), refused_};
}

} // namespace skillhost
