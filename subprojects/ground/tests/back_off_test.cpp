// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/back_off.hpp"

#include <set>

using namespace skillhost;
using std::chrono::milliseconds;

TEST_CASE("each wait is twice the one before, up to the longest, until something goes well") {
  BackOff waits({milliseconds(10), milliseconds(35)});
  CHECK(waits.next() == milliseconds(10));
  CHECK(waits.next() == milliseconds(20));
  CHECK(waits.next() == milliseconds(35));
  CHECK(waits.next() == milliseconds(35));
  waits.reset();
  CHECK(waits.next() == milliseconds(10));
}

TEST_CASE("those who wait for the same come back at different moments") {
  std::set<milliseconds> waits;
  for (int i = 0; i < 100; ++i) {
    const milliseconds wait = BackOff({milliseconds(1'000), milliseconds(1'000), 0.5}).next();
    CHECK(wait >= milliseconds(500));
    CHECK(wait <= milliseconds(1'000));
    waits.insert(wait);
  }
  CHECK(waits.size() > 10);
}
