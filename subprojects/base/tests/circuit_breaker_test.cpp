// SPDX-License-Identifier: Apache-2.0
#include "base/circuit_breaker.hpp"
#include "catch2.hpp"

using namespace skillhost;
using namespace std::chrono_literals;

namespace {
const CircuitBreaker::Clock::time_point start = CircuitBreaker::Clock::now();
}

TEST_CASE("a circuit opens after three faults in a row, not after three in all") {
  CircuitBreaker breaker;
  for (int i = 0; i < 10; ++i) {
    breaker.timedOut(start);
    breaker.timedOut(start);
    breaker.succeeded();
  }
  CHECK(breaker.allows(start));
  CHECK_FALSE(breaker.pause(start));
  breaker.timedOut(start);
  breaker.timedOut(start);
  CHECK(breaker.allows(start));
  breaker.timedOut(start);
  CHECK_FALSE(breaker.allows(start));
  CHECK(breaker.pause(start) == 1000ms);
}

TEST_CASE("after the pause one call probes; its success closes the circuit") {
  CircuitBreaker breaker;
  for (int i = 0; i < 3; ++i) breaker.timedOut(start);
  CHECK_FALSE(breaker.allows(start + 999ms));
  CHECK(breaker.allows(start + 1s));
  CHECK_FALSE(breaker.allows(start + 1s)); // one at a time
  breaker.abandoned();                     // the probe never ran: the next call may
  CHECK(breaker.allows(start + 1s));
  breaker.succeeded();
  CHECK(breaker.allows(start + 1s));
  CHECK_FALSE(breaker.pause(start + 1s));
}

TEST_CASE("every failed probe doubles the pause, up to the longest") {
  CircuitBreaker breaker;
  for (int i = 0; i < 3; ++i) breaker.timedOut(start);
  breaker.timedOut(start); // a call from before the opening changes nothing
  CHECK(breaker.pause(start) == 1000ms);
  auto now = start;
  auto expected = 1000ms;
  for (int i = 0; i < 10; ++i) {
    now += expected;
    REQUIRE(breaker.allows(now));
    breaker.timedOut(now);
    expected = std::min<std::chrono::milliseconds>(expected * 2, 60s);
    CHECK(breaker.pause(now) == expected);
  }
  CHECK(expected == 60s);
}
