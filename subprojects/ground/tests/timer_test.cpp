// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/timer.hpp"
#include "no_threads.hpp"

#include <future>
#include <memory>
#include <new>
#include <system_error>
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

TEST_CASE("a callback that lacks memory is called again") {
  int times = 0;
  std::promise<void> done;
  Timer timer;
  timer.after(1ms, [&] {
    if (++times < 3) throw std::bad_alloc();
    done.set_value();
  });
  done.get_future().wait();
  CHECK(times == 3);
}

TEST_CASE("a timer that is destroyed drops what has not fired") {
  bool fired = false;
  {
    Timer timer;
    timer.after(10min, [&] { fired = true; });
  }
  CHECK_FALSE(fired);
}

TEST_CASE("a cancelled callback does not fire, and what it holds goes at once") {
  Timer timer;
  bool fired = false;
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> seen = held;
  const Timer::Ticket ticket =
      timer.after(10min, [&fired, held = std::move(held)] { fired = true; });
  CHECK(timer.cancel(ticket));
  CHECK(seen.expired());
  CHECK_FALSE(timer.cancel(ticket));
  CHECK_FALSE(timer.cancel({}));
  std::promise<void> done;
  timer.after(1ms, [&] { done.set_value(); });
  done.get_future().wait();
  CHECK_FALSE(fired);
}

TEST_CASE("a callback may hold the last of its timer") {
  std::promise<void> gone;
  auto last = std::make_shared<Timer>();
  Timer &timer = *last;
  auto dropped = std::make_shared<int>(1);
  const std::weak_ptr<int> seen = dropped;
  timer.after(10min, [dropped = std::move(dropped)] {});
  timer.after(1ms, [last = std::move(last), &gone]() mutable {
    last.reset();
    gone.set_value();
  });
  gone.get_future().wait();
  CHECK(seen.expired());
}

TEST_CASE("a timer that gets no thread says so when it is made") {
  const NoThreads none;
  CHECK_THROWS_AS(Timer(), std::system_error);
}
