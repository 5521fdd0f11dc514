// SPDX-License-Identifier: Apache-2.0
// How often each principal may ask: a bucket of tokens that fills by the monotonic clock.
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
  std::size_t principals = 10'000; // buckets kept; the one unused the longest is forgotten
};

// Any thread; one request costs the same however many principals there are.
class RateLimiter {
public:
  using Clock = std::chrono::steady_clock;
  using Now = Clock::time_point (*)();

  explicit RateLimiter(RateRules rules, Now now = &Clock::now) : rules_(rules), now_(now) {}

  // Takes a token. None left: how long until there is one, never zero; asked again before then,
  // the answer is no again, and after it, yes.
  std::optional<std::chrono::milliseconds> take(std::string_view principal);

  // What follows is for replicas that tell each other what they let through. From then on what is
  // taken is counted; before the first take().
  void count() { counts_ = true; }
  struct Taken {
    std::string principal;
    std::int64_t tokens = 0;
  };
  // What was taken since, of at most so many principals, the one that has waited longest first. To
  // each of them belongs one learn() or forget(), and until then it is not given again.
  std::vector<Taken> taken(std::size_t most);
  // `sum` is what all replicas have taken of that principal, those tokens among them, in a count
  // that begins anew every `span`. What the others took counts from the beginning of the time in
  // which they can have taken it, so nobody waits for what was within the limit. It makes a
  // principal wait at most longestDebt, or the time of a full bucket, more than an empty bucket.
  void learn(const Taken &told, std::int64_t sum, std::chrono::milliseconds span);
  // Nobody knows whether those tokens were added to the sum.
  void forget(const Taken &told);
  static constexpr std::chrono::seconds longestDebt{5};

  struct Statistics {
    std::size_t principals = 0;
    std::uint64_t refused = 0;
  };
  Statistics statistics() const;

private:
  struct Bucket {
    std::string principal;
    Clock::time_point full; // when it will be, if nothing more is taken
    // Of replicas that tell each other:
    std::int64_t taken = 0;       // since taken()
    Clock::time_point firstTaken; // of these
    bool isActive = false, isTelling = false;
    Clock::time_point toldFirst;      // of those that are being told
    Clock::time_point askedAt, known; // of that, and of the one before which was answered
    Clock::time_point shared;         // `full` by what all had taken then
    std::optional<std::int64_t> sum;  // then; nothing: it is not known
  };
  using Buckets = std::list<Bucket>; // used last first
  Bucket &bucketOf(std::string_view principal);
  // All under the lock.
  void note(Bucket &bucket, Clock::time_point now);
  Bucket *telling(std::string_view principal); // null: it was forgotten
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
  std::deque<std::string> active_; // at most as many as there are buckets
};

} // namespace skillhost
