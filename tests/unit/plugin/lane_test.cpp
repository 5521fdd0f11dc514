// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "plugin/lane.hpp"

#include <atomic>
#include <future>

using namespace skillhost;

TEST_CASE("a lane runs every job it took, on at most its number of threads") {
  std::atomic<int> running{0}, most{0}, ran{0};
  {
    Lane lane("test", 3, 1000);
    for (int i = 0; i < 500; ++i)
      REQUIRE(lane.post([&] {
        const int now = ++running;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {}
        ++ran;
        --running;
      }));
  }
  CHECK(ran == 500);
  CHECK(most <= 3);
}

TEST_CASE("a full lane refuses at once, and takes jobs again when there is room") {
  std::promise<void> open;
  std::promise<void> begun;
  Lane lane("test", 1, 2);
  REQUIRE(lane.post([&, gate = open.get_future().share()] {
    begun.set_value();
    gate.wait();
  }));
  begun.get_future().wait();
  CHECK(lane.post([] {}));
  CHECK(lane.post([] {}));
  CHECK_FALSE(lane.post([] {}));
  open.set_value();
  lane.end();
  CHECK_FALSE(lane.post([] {}));
}
