// SPDX-License-Identifier: Apache-2.0
// What the host makes of what it sees of a runner. The runner is played by this process.
#include "catch2.hpp"
#include "process/watch.hpp"
#include "running.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using namespace skillhost;
using namespace skillhost::process;
using running::contains;

namespace {

// So many threads more, as long as it exists.
class Threads {
public:
  explicit Threads(std::size_t count) {
    while (threads_.size() < count) threads_.emplace_back([this] { leave_.wait(false); });
  }
  ~Threads() {
    leave_ = true;
    leave_.notify_all();
    for (std::thread &thread : threads_) thread.join();
  }
  Threads(const Threads &) = delete;
  Threads &operator=(const Threads &) = delete;

private:
  std::atomic<bool> leave_{false};
  std::vector<std::thread> threads_;
};

// As from a runner whose kernel has no notifications.
void greet(Watch &watch) {
  const auto [ours, theirs] = socketPair();
  CHECK_FALSE(watch.greeted(ours.number())); // nothing has come
  const char byte = 0;
  REQUIRE(::send(theirs.number(), &byte, 1, 0) == 1);
  REQUIRE(watch.greeted(ours.number()));
}

std::string lookWhenDue(Watch &watch) {
  const Moment due = watch.next(Moment{});
  if (due == Moment::max()) return "is never due";
  std::this_thread::sleep_until(due);
  return watch.look(::getpid(), watch.polled(due));
}

} // namespace

TEST_CASE("what a runner says of its confinement is compared with what the kernel says") {
  Start start;
  Descriptor output;
  Watch watch(start, output);
  greet(watch);
  CHECK(watch.confined(::getpid(), true).refusal == "it is not confined though it said so");
  const Watch::Verdict open = watch.confined(::getpid(), false);
  CHECK(open.refusal.empty()); // it has not said so, and the log warns
  CHECK(open.verified);
}

TEST_CASE("a process that the host cannot look at is not said to be confined") {
  Start start;
  Descriptor output;
  Watch watch(start, output);
  greet(watch);
  const Watch::Verdict verdict = watch.confined(0, true); // no process has that number in /proc
  CHECK(verdict.refusal.empty());
  CHECK_FALSE(verdict.verified);
}

TEST_CASE("threads that cannot be seen are counted when they are let start") {
  ThreadCount unseen;
  std::uint32_t let = 1; // the first one
  while (let < 2 * mostThreads && unseen.admits(0)) ++let;
  CHECK(let == mostThreads);
  CHECK_FALSE(unseen.admits(0));
  // Once they are seen, what is seen counts.
  CHECK(unseen.admits(::getpid()));
  ThreadCount seen;
  for (std::uint32_t i = 0; i < 2 * mostThreads; ++i) REQUIRE(seen.admits(::getpid()));
}

TEST_CASE("where threads cannot be refused, a process with far too many is ended") {
  Start start;
  Descriptor output;
  Watch watch(start, output);
  greet(watch);
  REQUIRE_FALSE(watch.countsThreads());
  REQUIRE(watch.confined(::getpid(), false).refusal.empty());
  CHECK(lookWhenDue(watch).empty());
  const Threads many(2 * mostThreads + 1);
  CHECK(contains(lookWhenDue(watch), "threads, and 256 are allowed"));
}
