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
  CHECK(watch.confined(::getpid(), true) == "it is not confined though it said so");
  CHECK(watch.confined(::getpid(), false).empty()); // it has not said so, and the log warns
}

TEST_CASE("where threads cannot be refused, a process with far too many is ended") {
  Start start;
  Descriptor output;
  Watch watch(start, output);
  greet(watch);
  REQUIRE_FALSE(watch.countsThreads());
  REQUIRE(watch.confined(::getpid(), false).empty());
  CHECK(lookWhenDue(watch).empty());
  const Threads many(2 * mostThreads + 1);
  CHECK(contains(lookWhenDue(watch), "threads, and 256 are allowed"));
}
