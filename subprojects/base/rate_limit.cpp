// SPDX-License-Identifier: Apache-2.0
#include "base/rate_limit.hpp"

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

// A sum from the engine is not trusted to be small.
constexpr std::int64_t maxTokens = 1'000'000'000;

} // namespace

// A bucket is stored as the moment when it will be full again. Each token taken moves that moment
// by the time a token takes to come back, and it may lie ahead by as many such times as the bucket
// holds tokens.
std::optional<std::chrono::milliseconds> RateLimiter::take(std::string_view principal) {
  if (rules_.perSecond == 0) return std::nullopt;
  const auto room = this->room();
  const std::scoped_lock lock(mutex_);
  const Clock::time_point now = now_();
  Bucket &bucket = bucketOf(principal);
  const Clock::time_point full = std::max(bucket.full, now) + step();
  if (full <= now + room) {
    bucket.full = full;
    if (counts_) note(bucket, now);
    return std::nullopt;
  }
  ++refused_;
  return std::chrono::ceil<std::chrono::milliseconds>(full - room - now);
}

std::chrono::nanoseconds RateLimiter::room() const {
  return step() * static_cast<std::int64_t>(std::max<std::size_t>(rules_.burst, 1));
}

void RateLimiter::note(Bucket &bucket, Clock::time_point now) {
  if (bucket.taken++ == 0) bucket.firstTaken = now;
  // In a flood of names the list has no room for a new one; its principal is added at a later
  // request.
  if (bucket.isActive || active_.size() >= rules_.principals) return;
  bucket.isActive = true;
  active_.push_back(bucket.principal);
}

std::vector<RateLimiter::Taken> RateLimiter::taken(std::size_t limit) {
  std::vector<Taken> all;
  const std::scoped_lock lock(mutex_);
  const Clock::time_point now = now_();
  for (std::size_t left = active_.size(); left != 0 && all.size() < limit; --left) {
    std::string principal = std::move(active_.front());
    active_.pop_front();
    const auto found = byPrincipal_.find(principal);
    if (found == byPrincipal_.end() || !found->second->isActive) continue;
    Bucket &bucket = *found->second;
    if (bucket.isReporting) {
      active_.push_back(std::move(principal));
      continue;
    }
    bucket.isActive = false;
    bucket.isReporting = true;
    bucket.askedAt = now;
    bucket.firstReported = bucket.firstTaken;
    all.push_back({std::move(principal), std::exchange(bucket.taken, 0)});
  }
  return all;
}

RateLimiter::Bucket *RateLimiter::reportedBucket(std::string_view principal) {
  const auto found = byPrincipal_.find(principal);
  if (found == byPrincipal_.end() || !found->second->isReporting) return nullptr;
  found->second->isReporting = false;
  return &*found->second;
}

void RateLimiter::learn(const Taken &report, std::int64_t sum, std::chrono::milliseconds span) {
  const std::scoped_lock lock(mutex_);
  Bucket *const bucket = reportedBucket(report.principal);
  if (bucket == nullptr) return;
  const std::int64_t before = bucket->sum.value_or(0) + report.tokens;
  // A sum that is smaller than before belongs to a count that restarted from zero.
  const std::int64_t others =
      std::clamp<std::int64_t>(sum >= before ? sum - before : sum - report.tokens, 0, maxTokens);
  if (bucket->sum)
    bucket->shared = std::max(bucket->shared, bucket->known) + others * step();
  else
    bucket->shared = std::max(bucket->shared, bucket->askedAt - span + others * step());
  bucket->shared = std::max(bucket->shared, bucket->firstReported) + report.tokens * step();
  const auto latest = now_() + room() + std::max<std::chrono::nanoseconds>(room(), maxDebt);
  bucket->shared = std::min(bucket->shared, latest);
  bucket->known = bucket->askedAt;
  bucket->sum = std::clamp<std::int64_t>(sum, 0, INT64_MAX / 2);
  const Clock::time_point since =
      bucket->taken == 0 ? bucket->shared
                         : std::max(bucket->shared, bucket->firstTaken) + bucket->taken * step();
  bucket->full = std::min(std::max(bucket->full, since), latest);
}

void RateLimiter::forget(const Taken &report) {
  const std::scoped_lock lock(mutex_);
  Bucket *const bucket = reportedBucket(report.principal);
  if (bucket == nullptr) return;
  bucket->shared = std::max(bucket->shared, bucket->firstReported) + report.tokens * step();
  bucket->sum.reset();
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
