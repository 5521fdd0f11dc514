// SPDX-License-Identifier: Apache-2.0
// Limits how often each principal may ask, by a bucket of tokens that fills with the monotonic
// clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skillhost {

struct RateRules {
  std::size_t perSecond = 0;       // tokens that come back in a second; 0: no limit
  std::size_t burst = 20;          // tokens of a full bucket
  std::size_t principals = 10'000; // buckets kept; the least recently used is dropped
};

// Any thread. The cost of a request does not depend on the number of principals.
class RateLimiter {
public:
  using Clock = std::chrono::steady_clock;
  using Now = Clock::time_point (*)();

  explicit RateLimiter(RateRules rules, Now now = &Clock::now) : rules_(rules), now_(now) {}

  // Takes a token. If none is left, returns the time until there is one, never zero: a call before
  // then is refused again, and a call after it succeeds.
  std::optional<std::chrono::milliseconds> take(std::string_view principal);

  // The functions below are for replicas that report to each other what they let through. After
  // count(), the tokens that are taken are counted. Call it before the first take().
  void count() { counts_ = true; }
  struct Taken {
    std::string principal;
    std::int64_t tokens = 0;
  };
  // Returns the tokens taken since the last call, for at most `limit` principals, those that have
  // waited longest first. Each of them needs one learn() or forget(), and until then it is not
  // returned again.
  std::vector<Taken> taken(std::size_t limit);
  // `sum` is the number of tokens that all replicas have taken for that principal, these included,
  // in a count that restarts from zero every `span`. The tokens of other replicas count from the
  // earliest time at which they can have been taken, so nobody waits for requests that were within
  // the limit. A principal waits at most maxDebt, or the time of a full bucket, longer than
  // with an empty bucket.
  void learn(const Taken &report, std::int64_t sum, std::chrono::milliseconds span);
  // The exchange failed, so it is unknown if the sum includes those tokens.
  void forget(const Taken &report);
  static constexpr std::chrono::seconds maxDebt{5};

  struct Statistics {
    std::size_t principals = 0;
    std::uint64_t refused = 0;
  };
  Statistics statistics() const;

private:
  struct Bucket {
    std::string principal;
    Clock::time_point full; // the time when it will be, if nothing more is taken
    // For replicas that report to each other:
    std::int64_t taken = 0;       // tokens since the last taken()
    Clock::time_point firstTaken; // time of the first of these
    bool isActive = false, isReporting = false;
    Clock::time_point firstReported;  // time of the first of those being reported
    Clock::time_point askedAt, known; // when this report, and the last answered one, began
    Clock::time_point shared;         // `full` by the tokens of all replicas at `known`
    std::optional<std::int64_t> sum;  // at `known`; nothing: unknown
  };
  using Buckets = std::list<Bucket>; // most recently used first
  Bucket &bucketOf(std::string_view principal);
  // The caller of these holds the lock.
  void note(Bucket &bucket, Clock::time_point now);
  Bucket *reportedBucket(std::string_view principal); // null: dropped, or nothing is being reported
  std::chrono::nanoseconds step() const {
    return std::chrono::nanoseconds(1'000'000'000 / rules_.perSecond);
  }
  std::chrono::nanoseconds room() const;

  const RateRules rules_;
  const Now now_;
  mutable std::mutex mutex_;
  Buckets buckets_;
  std::unordered_map<std::string_view, Buckets::iterator> byPrincipal_;
  std::uint64_t refused_ = 0;
  bool counts_ = false;
  std::deque<std::string> active_; // at most rules_.principals
};

} // namespace skillhost
