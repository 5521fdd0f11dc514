// SPDX-License-Identifier: Apache-2.0
// Tests when the remote is asked again.
#include "catch2.hpp"
#include "remote/schedule.hpp"

#include <cstdint>

namespace remote = skillhost::remote;

TEST_CASE("the remote is asked when the clock is full") {
  using namespace std::chrono;
  const auto at = [](int h, int m, int s) {
    return system_clock::time_point(hours(h) + minutes(m) + seconds(s));
  };
  CHECK(remote::untilNextRefresh(at(10, 20, 0), minutes(60), seconds(0)) == minutes(40));
  CHECK(remote::untilNextRefresh(at(10, 0, 0), minutes(60), seconds(0)) == minutes(60));
  CHECK(remote::untilNextRefresh(at(10, 20, 30), minutes(15), seconds(0)) ==
        minutes(10) - seconds(30));
  CHECK(remote::untilNextRefresh(at(10, 20, 0), minutes(60), minutes(330)) ==
        minutes(10)); // +05:30
  CHECK(remote::untilNextRefresh(at(0, 20, 0), minutes(60), -hours(5)) == minutes(40));
}

TEST_CASE("failures are tried again later each time") {
  using std::chrono::seconds;
  skillhost::BackOff backOff(remote::failures);
  CHECK(remote::nextPause(backOff, {}) == seconds(30));
  CHECK(remote::nextPause(backOff, {}) == seconds(60));
  CHECK(remote::nextPause(backOff, seconds(600)) == seconds(600));
  for (int i = 0; i < 10; ++i) remote::nextPause(backOff, {});
  CHECK(remote::nextPause(backOff, {}) == seconds(3'600));
  CHECK(remote::nextPause(backOff, seconds(86'400)) == seconds(86'400));
  backOff.reset();
  CHECK(remote::nextPause(backOff, {}) == seconds(30));
  CHECK(remote::spanText(seconds(59)) == "59 s");
  CHECK(remote::spanText(seconds(3'599)) == "59 min");
  CHECK(remote::spanText(seconds(200'000)) == "2 days");
}

TEST_CASE("no remote may have us wait longer than a day") {
  using std::chrono::seconds;
  constexpr std::int64_t tenYears = 315'360'000;
  CHECK(remote::retryAfterPause(7) == seconds(7));
  CHECK(remote::retryAfterPause(86'400) == seconds(86'400));
  CHECK(remote::retryAfterPause(tenYears) == seconds(86'400));
  CHECK(remote::retryAfterPause(INT64_MAX) == seconds(86'400));
  for (const std::int64_t none : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN})
    CHECK_FALSE(remote::retryAfterPause(none));
}
