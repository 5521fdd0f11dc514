// SPDX-License-Identifier: Apache-2.0
#include "base/rate_limit.hpp"
#include "catch2.hpp"

#include <atomic>
#include <string>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {
std::atomic<std::int64_t> microseconds{1'000'000};
std::chrono::steady_clock::time_point turnedNow() {
  return std::chrono::steady_clock::time_point(std::chrono::microseconds(microseconds.load()));
}
} // namespace

TEST_CASE("no rate is no limit") {
  RateLimiter limiter(RateRules{}, &turnedNow);
  for (int i = 0; i < 1000; ++i) CHECK_FALSE(limiter.take("a"));
  CHECK(limiter.statistics().principals == 0);
}

TEST_CASE("a burst goes through, then as many as come back") {
  RateLimiter limiter({10, 3, 100}, &turnedNow);
  for (int i = 0; i < 3; ++i) CHECK_FALSE(limiter.take("a"));
  CHECK(limiter.take("a") == 100ms);
  CHECK(limiter.take("a") == 100ms); // a refusal costs nothing
  CHECK_FALSE(limiter.take("b"));    // each client has a bucket of its own
  microseconds += 250'000;           // two tokens and a half
  CHECK_FALSE(limiter.take("a"));
  CHECK_FALSE(limiter.take("a"));
  CHECK(limiter.take("a") == 50ms);
  microseconds += 3'600'000'000; // never more than a full bucket
  for (int i = 0; i < 3; ++i) CHECK_FALSE(limiter.take("a"));
  CHECK(limiter.take("a"));
  CHECK(limiter.statistics().refused == 4);
}

TEST_CASE("the time to wait is exact: one microsecond less is too early") {
  RateLimiter limiter({3, 1, 100}, &turnedNow);
  CHECK_FALSE(limiter.take("a"));
  CHECK(limiter.take("a") == 334ms); // a third of a second, whole milliseconds
  microseconds += 333'333;
  CHECK(limiter.take("a") == 1ms);
  microseconds += 1;
  CHECK_FALSE(limiter.take("a"));
}

TEST_CASE("a limiter keeps a bounded number of principals and forgets the one unused the longest") {
  RateLimiter limiter({1, 1, 2}, &turnedNow);
  CHECK_FALSE(limiter.take("a"));
  CHECK_FALSE(limiter.take("b"));
  CHECK(limiter.take("a"));
  for (int i = 0; i < 50; ++i) {
    CHECK_FALSE(limiter.take("other " + std::to_string(i)));
    CHECK(limiter.take("a"));
  }
  CHECK(limiter.statistics().principals == 2);
  CHECK_FALSE(limiter.take("b"));
}
