// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "plugin/lane.hpp"

#include <atomic>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

struct Job final : LaneJob {
  explicit Job(std::function<void()> theWork, Deadline deadline = Deadline::never(),
               std::string whose = {})
      : LaneJob(deadline, CancelToken(), std::move(whose)), work(std::move(theWork)) {}
  void run() noexcept override { work(); }
  void giveUp(bool running) noexcept override { givenUp.set_value(running); }
  void abandoned() noexcept override { lost.set_value(); }

  std::function<void()> work;
  std::promise<bool> givenUp;
  std::promise<void> lost;
};

std::shared_ptr<Job> job(std::function<void()> work, Deadline deadline = Deadline::never()) {
  return std::make_shared<Job>(std::move(work), deadline);
}

LaneSettings settings(std::size_t threads, std::size_t capacity = 1000) {
  LaneSettings made;
  made.threads = threads;
  made.capacity = capacity;
  made.grace = 20ms;
  made.patience = 50ms;
  return made;
}

// Something that hangs until it is let go, and says when that was over.
struct Hang {
  std::promise<void> open, begun, over;
  std::shared_future<void> gate = open.get_future().share();
  std::function<void()> work() {
    return [this] {
      begun.set_value();
      gate.wait();
      over.set_value();
    };
  }
};

} // namespace

TEST_CASE("a lane runs every job it took, on at most its number of threads") {
  std::atomic<int> running{0}, most{0}, ran{0};
  {
    Lane lane("test", settings(3));
    std::promise<void> all;
    for (int i = 0; i < 500; ++i)
      REQUIRE(lane.post(job([&] {
        const int now = ++running;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {}
        --running;
        if (++ran == 500) all.set_value();
      })));
    all.get_future().wait();
    CHECK(lane.end());
  }
  CHECK(ran == 500);
  CHECK(most <= 3);
}

TEST_CASE("a full lane refuses at once, and takes jobs again when there is room") {
  Hang hang;
  Lane lane("test", settings(1, 2));
  REQUIRE(lane.post(job(hang.work())));
  hang.begun.get_future().wait();
  std::promise<void> ran;
  CHECK(lane.post(job([] {})));
  CHECK(lane.post(job([&] { ran.set_value(); })));
  const Status refused = lane.post(job([] {}));
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().fault == Fault::Unavailable);
  CHECK(refused.failure().message.find("too many calls") != std::string::npos);
  hang.open.set_value();
  ran.get_future().wait();
  CHECK(lane.post(job([] {})));
  CHECK(lane.end());
  CHECK_FALSE(lane.post(job([] {})));
}

TEST_CASE("a job that does not come back is given up at its deadline, its thread replaced") {
  Hang hang;
  Lane lane("test", settings(1));
  const auto began = Deadline::Clock::now();
  const auto hanging = job(hang.work(), Deadline::after(30ms));
  REQUIRE(lane.post(hanging));
  CHECK(hanging->givenUp.get_future().get()); // it was running
  CHECK(Deadline::Clock::now() - began >= 30ms);
  hanging->lost.get_future().wait();
  CHECK(lane.lost() == 1);
  CHECK(Lane::lostInAll() == 1);
  std::promise<void> ran;
  REQUIRE(lane.post(job([&] { ran.set_value(); })));
  ran.get_future().wait();
  CHECK_FALSE(lane.end()); // it is still out there
  hang.open.set_value();
  hang.over.get_future().wait();
}

TEST_CASE("what waits behind a hanging job is given up in the queue, and never runs") {
  Hang hang;
  Lane lane("test", settings(1));
  REQUIRE(lane.post(job(hang.work())));
  hang.begun.get_future().wait();
  bool ran = false;
  const auto waiting = job([&] { ran = true; }, Deadline::after(10ms));
  REQUIRE(lane.post(waiting));
  CHECK_FALSE(waiting->givenUp.get_future().get()); // it never ran
  hang.open.set_value();
  CHECK(lane.end());
  CHECK_FALSE(ran);
}

TEST_CASE("with as many threads lost as it may lose, a lane refuses until one comes home") {
  LaneSettings two = settings(4);
  two.mostLost = 2;
  Hang first, second;
  Lane lane("test", two);
  for (Hang *hang : {&first, &second}) {
    const auto hanging = job(hang->work(), Deadline::after(5ms));
    REQUIRE(lane.post(hanging));
    hanging->lost.get_future().wait();
  }
  const Status refused = lane.post(job([] {}));
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().message.find("never came back") != std::string::npos);
  first.open.set_value();
  std::promise<void> ran;
  // Its thread is home a moment after its work is over.
  while (!lane.post(job([&] { ran.set_value(); }))) std::this_thread::yield();
  ran.get_future().wait();
  second.open.set_value();
  while (lane.lost() != 0) std::this_thread::yield();
  CHECK(lane.end());
}

TEST_CASE("nobody has all threads of a lane, and those who wait have their turn") {
  Hang first;
  LaneSettings shared = settings(2);
  shared.keepsOneFree = true;
  Lane lane("test", shared);
  std::mutex mutex;
  std::string order;
  std::promise<void> all;
  const auto post = [&](const std::string &whose) {
    REQUIRE(lane.post(std::make_shared<Job>(
        [&, whose] {
          const std::scoped_lock lock(mutex);
          if ((order += whose).size() == 7) all.set_value();
        },
        Deadline::never(), whose)));
  };
  REQUIRE(lane.post(std::make_shared<Job>(first.work(), Deadline::never(), "a")));
  first.begun.get_future().wait();
  for (int i = 0; i < 4; ++i) post("a");
  // The other thread is free, and not for the one who has the first.
  std::promise<void> begun, gate;
  REQUIRE(lane.post(std::make_shared<Job>(
      [&] {
        begun.set_value();
        gate.get_future().wait();
      },
      Deadline::never(), "b")));
  begun.get_future().wait();
  CHECK(order.empty());
  post("b");
  post("c");
  post("c");
  first.open.set_value(); // one thread goes on, and the other is held by b
  while (true) {
    const std::scoped_lock lock(mutex);
    if (order.size() == 6) break;
  }
  CHECK(order == "acacaa"); // b has one of two threads, and so no other
  gate.set_value();
  all.get_future().wait();
  CHECK(order == "acacaab");
  CHECK(lane.end());
}

TEST_CASE("what is given up or lost makes room for the next of the same one") {
  Hang hang;
  LaneSettings shared = settings(2);
  shared.keepsOneFree = true;
  Lane lane("test", shared);
  const auto hanging = std::make_shared<Job>(hang.work(), Deadline::after(10ms), "a");
  REQUIRE(lane.post(hanging));
  hanging->lost.get_future().wait();
  std::promise<void> ran;
  REQUIRE(lane.post(std::make_shared<Job>([&] { ran.set_value(); }, Deadline::never(), "a")));
  ran.get_future().wait();
  hang.open.set_value();
  hang.over.get_future().wait();
  while (lane.lost() != 0) std::this_thread::yield();
  CHECK(lane.end());
}

TEST_CASE("the end cancels what waits and what runs") {
  Lane lane("test", settings(1));
  std::promise<void> begun;
  std::shared_ptr<Job> attentive;
  attentive = job([&] {
    begun.set_value();
    while (!attentive->cancel().cancelled()) std::this_thread::yield();
  });
  bool cancelled = false;
  std::shared_ptr<Job> waiting;
  waiting = job([&] { cancelled = waiting->cancel().cancelled(); });
  REQUIRE(lane.post(attentive));
  begun.get_future().wait();
  REQUIRE(lane.post(waiting));
  CHECK(lane.end());
  CHECK(cancelled);
}
