// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "runtime/timer.hpp"

#include <future>
#include <vector>

using namespace skillhost;
using namespace std::chrono_literals;

TEST_CASE("timers fire in the order of their moments, not before them") {
  std::vector<int> order;
  std::promise<void> done;
  const auto begin = Timer::Clock::now();
  Timer timer;
  timer.after(30ms, [&] {
    order.push_back(2);
    done.set_value();
  });
  timer.after(5ms, [&] { order.push_back(1); });
  done.get_future().wait();
  CHECK(order == std::vector<int>{1, 2});
  CHECK(Timer::Clock::now() - begin >= 30ms);
}

TEST_CASE("a timer that is destroyed drops what has not fired") {
  bool fired = false;
  {
    Timer timer;
    timer.after(10min, [&] { fired = true; });
  }
  CHECK_FALSE(fired);
}
