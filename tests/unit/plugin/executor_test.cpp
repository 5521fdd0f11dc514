// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "plugin/executor.hpp"

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

struct Job final : ExecutorJob {
  explicit Job(std::function<void()> theWork, Deadline deadline = Deadline::never(),
               std::string caller = {})
      : ExecutorJob(deadline, CancelToken(), std::move(caller)), work(std::move(theWork)) {}
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

ExecutorSettings settings(std::size_t threads, std::size_t capacity = 1000) {
  ExecutorSettings made;
  made.threads = threads;
  made.capacity = capacity;
  made.grace = 20ms;
  made.patience = 50ms;
  return made;
}

// Work that hangs until it is released, and reports its end.
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

// Posts `hang` until the executor has begun it before its deadline of `span`: a busy machine may
// give up a job in the queue, and such a job never runs. Returns the job that was given up while it
// ran.
std::shared_ptr<Job> lose(PluginExecutor &executor, Hang &hang, std::chrono::milliseconds span,
                          const std::string &caller = {}) {
  for (;;) {
    auto hanging = std::make_shared<Job>(hang.work(), Deadline::after(span), caller);
    REQUIRE(executor.post(hanging));
    if (hanging->givenUp.get_future().get()) return hanging;
  }
}

} // namespace

TEST_CASE("an executor runs every job it took, on at most its number of threads") {
  std::atomic<int> running{0}, most{0}, ran{0};
  {
    PluginExecutor executor("test", settings(3));
    std::promise<void> all;
    for (int i = 0; i < 500; ++i)
      REQUIRE(executor.post(job([&] {
        const int now = ++running;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {}
        --running;
        if (++ran == 500) all.set_value();
      })));
    all.get_future().wait();
    CHECK(executor.end());
  }
  CHECK(ran == 500);
  CHECK(most <= 3);
}

TEST_CASE("a full executor refuses at once, and takes jobs again when there is room") {
  Hang hang;
  PluginExecutor executor("test", settings(1, 2));
  REQUIRE(executor.post(job(hang.work())));
  hang.begun.get_future().wait();
  std::promise<void> ran;
  CHECK(executor.post(job([] {})));
  CHECK(executor.post(job([&] { ran.set_value(); })));
  const Status refused = executor.post(job([] {}));
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().fault == Fault::Unavailable);
  CHECK(refused.failure().message.find("too many calls") != std::string::npos);
  hang.open.set_value();
  ran.get_future().wait();
  CHECK(executor.post(job([] {})));
  CHECK(executor.end());
  CHECK_FALSE(executor.post(job([] {})));
}

TEST_CASE("a job that does not come back is given up at its deadline, its thread replaced") {
  Hang hang;
  PluginExecutor executor("test", settings(1));
  const auto began = Deadline::Clock::now();
  const auto hanging = lose(executor, hang, 30ms);
  CHECK(Deadline::Clock::now() - began >= 30ms);
  hanging->lost.get_future().wait();
  CHECK(executor.lost() == 1);
  CHECK(PluginExecutor::totalLostThreads() == 1);
  std::promise<void> ran;
  REQUIRE(executor.post(job([&] { ran.set_value(); })));
  ran.get_future().wait();
  CHECK_FALSE(executor.end()); // the lost thread still runs
  hang.open.set_value();
  hang.over.get_future().wait();
}

TEST_CASE("what waits behind a hanging job is given up in the queue, and never runs") {
  Hang hang;
  PluginExecutor executor("test", settings(1));
  REQUIRE(executor.post(job(hang.work())));
  hang.begun.get_future().wait();
  bool ran = false;
  const auto waiting = job([&] { ran = true; }, Deadline::after(10ms));
  REQUIRE(executor.post(waiting));
  CHECK_FALSE(waiting->givenUp.get_future().get()); // it never ran
  hang.open.set_value();
  CHECK(executor.end());
  CHECK_FALSE(ran);
}

TEST_CASE("with as many threads lost as it may lose, an executor refuses until one comes home") {
  ExecutorSettings two = settings(4);
  two.maxLostThreads = 2;
  Hang first, second;
  PluginExecutor executor("test", two);
  for (Hang *hang : {&first, &second}) lose(executor, *hang, 5ms)->lost.get_future().wait();
  const Status refused = executor.post(job([] {}));
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().message.find("never came back") != std::string::npos);
  first.open.set_value();
  std::promise<void> ran;
  // Its thread is free a moment after its work has ended.
  while (!executor.post(job([&] { ran.set_value(); }))) std::this_thread::yield();
  ran.get_future().wait();
  second.open.set_value();
  while (executor.lost() != 0) std::this_thread::yield();
  CHECK(executor.end());
}

TEST_CASE("nobody has all threads of an executor, and those who wait have their turn") {
  Hang first;
  ExecutorSettings shared = settings(2);
  shared.keepsOneFree = true;
  PluginExecutor executor("test", shared);
  std::mutex mutex;
  std::string order;
  std::promise<void> all;
  const auto post = [&](const std::string &caller) {
    REQUIRE(executor.post(std::make_shared<Job>(
        [&, caller] {
          const std::scoped_lock lock(mutex);
          if ((order += caller).size() == 7) all.set_value();
        },
        Deadline::never(), caller)));
  };
  REQUIRE(executor.post(std::make_shared<Job>(first.work(), Deadline::never(), "a")));
  first.begun.get_future().wait();
  for (int i = 0; i < 4; ++i) post("a");
  // The other thread is free, but not for the instance that already has the first.
  std::promise<void> begun, gate;
  REQUIRE(executor.post(std::make_shared<Job>(
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
  first.open.set_value(); // one thread goes on, and b holds the other
  while (true) {
    const std::scoped_lock lock(mutex);
    if (order.size() == 6) break;
  }
  CHECK(order == "acacaa"); // b has one of two threads, and so no other
  gate.set_value();
  all.get_future().wait();
  CHECK(order == "acacaab");
  CHECK(executor.end());
}

TEST_CASE("the thread for what waits long is not among those that one may nearly all have") {
  Hang first, waiting;
  ExecutorSettings shared = settings(3);
  shared.keepsOneFree = true;
  shared.longCallThreads = 1;
  PluginExecutor executor("test", shared);
  REQUIRE(executor.post(std::make_shared<Job>(first.work(), Deadline::never(), "a")));
  REQUIRE(executor.post(std::make_shared<Job>(waiting.work(), Deadline::never())));
  first.begun.get_future().wait();
  waiting.begun.get_future().wait();
  std::atomic<bool> second{false};
  std::promise<void> other, after;
  REQUIRE(executor.post(std::make_shared<Job>(
      [&] {
        second = true;
        after.set_value();
      },
      Deadline::never(), "a")));
  REQUIRE(executor.post(std::make_shared<Job>([&] { other.set_value(); }, Deadline::never(), "b")));
  other.get_future().wait(); // by the third thread, which a's second call may not use
  CHECK_FALSE(second);
  first.open.set_value();
  after.get_future().wait();
  waiting.open.set_value();
  CHECK(executor.end());
}

TEST_CASE("what is given up or lost makes room for the next of the same one") {
  Hang hang;
  ExecutorSettings shared = settings(2);
  shared.keepsOneFree = true;
  PluginExecutor executor("test", shared);
  lose(executor, hang, 10ms, "a")->lost.get_future().wait();
  std::promise<void> ran;
  REQUIRE(executor.post(std::make_shared<Job>([&] { ran.set_value(); }, Deadline::never(), "a")));
  ran.get_future().wait();
  hang.open.set_value();
  hang.over.get_future().wait();
  while (executor.lost() != 0) std::this_thread::yield();
  CHECK(executor.end());
}

TEST_CASE("the end cancels what waits and what runs") {
  PluginExecutor executor("test", settings(1));
  std::promise<void> begun;
  std::shared_ptr<Job> attentive;
  attentive = job([&] {
    begun.set_value();
    while (!attentive->cancel().cancelled()) std::this_thread::yield();
  });
  bool cancelled = false;
  std::shared_ptr<Job> waiting;
  waiting = job([&] { cancelled = waiting->cancel().cancelled(); });
  REQUIRE(executor.post(attentive));
  begun.get_future().wait();
  REQUIRE(executor.post(waiting));
  CHECK(executor.end());
  CHECK(cancelled);
}
