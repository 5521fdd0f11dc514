// SPDX-License-Identifier: Apache-2.0
// How often each principal may ask: a bucket of tokens that fills by the monotonic clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

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

  struct Statistics {
    std::size_t principals = 0;
    std::uint64_t refused = 0;
  };
  Statistics statistics() const;

private:
  struct Bucket {
    std::string principal;
    Clock::time_point full; // when it will be, if nothing more is taken
  };
  using Buckets = std::list<Bucket>; // used last first
  Bucket &bucketOf(std::string_view principal);

  const RateRules rules_;
  const Now now_;
  mutable std::mutex mutex_;
  Buckets buckets_;
  std::unordered_map<std::string_view, Buckets::iterator> byPrincipal_;
  std::uint64_t refused_ = 0;
};

} // namespace skillhost
