// SPDX-License-Identifier: Apache-2.0
// Tests what the host concludes from observing a runner. This process plays the runner.
#include "catch2.hpp"
#include "process/process_status.hpp"
#include "process/watch.hpp"
#include "running.hpp"

#include "temporary_folder.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

using namespace skillhost;
using namespace skillhost::process;
using running::contains;

namespace {

// Runs `count` more threads while it exists.
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

// Greets as a runner whose kernel has no notifications.
void greet(Watch &watch) {
  const auto [ours, theirs] = socketPair();
  CHECK_FALSE(watch.readGreeting(ours.number())); // nothing has arrived
  const char byte = 0;
  REQUIRE(::send(theirs.number(), &byte, 1, 0) == 1);
  REQUIRE(watch.readGreeting(ours.number()));
}

std::string lookWhenDue(Watch &watch, pid_t process = ::getpid()) {
  const Moment due = watch.next(Moment{});
  if (due == Moment::max()) return "is never due";
  std::this_thread::sleep_until(due);
  return watch.handleEvents(process, watch.pollSet(due));
}

constexpr std::size_t piece = 1U << 20U;

// A process that writes a mebibyte to a file on request and does nothing else.
class Writer {
public:
  explicit Writer(const std::string &file) {
    std::tie(ours_, theirs_) = socketPair();
    number_ = ::fork();
    if (number_ < 0) throw std::runtime_error("no process");
    if (number_ != 0) {
      theirs_.reset();
      return;
    }
    // Inherited descriptors of deleted files would count as the child's own.
    const auto own = static_cast<unsigned>(theirs_.number());
    ::syscall(SYS_close_range, 3U, own - 1, 0U);
    ::syscall(SYS_close_range, own + 1, ~0U, 0U);
    static const std::array<char, piece> bytes{};
    char byte = 0;
    while (::read(theirs_.number(), &byte, 1) == 1) {
      const Descriptor to(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
      byte = ::write(to.number(), bytes.data(), bytes.size()) == ssize_t{piece} ? 'y' : 'n';
      if (::write(theirs_.number(), &byte, 1) != 1) break;
    }
    ::_exit(0);
  }
  ~Writer() {
    ours_.reset();
    ::waitpid(number_, nullptr, 0);
  }
  Writer(const Writer &) = delete;
  Writer &operator=(const Writer &) = delete;

  pid_t number() const noexcept { return number_; }
  void write() const {
    char byte = 'w';
    REQUIRE(::write(ours_.number(), &byte, 1) == 1);
    REQUIRE(::read(ours_.number(), &byte, 1) == 1);
    REQUIRE(byte == 'y');
  }

private:
  Descriptor ours_, theirs_;
  pid_t number_ = -1;
};

} // namespace

TEST_CASE("what a runner says of its confinement is compared with what the kernel says") {
  Start start;
  Descriptor output;
  Watch watch(start, output);
  greet(watch);
  CHECK(watch.checkConfinement(::getpid(), true).refusal ==
        "the process is not confined, although it reported that it is");
  const Watch::Verdict open = watch.checkConfinement(::getpid(), false);
  CHECK(open.refusal.empty()); // it did not claim to be confined, and the log warns
  CHECK(open.verified);
}

TEST_CASE("a process that the host cannot look at is not said to be confined") {
  Start start;
  Descriptor output;
  Watch watch(start, output);
  greet(watch);
  const Watch::Verdict verdict =
      watch.checkConfinement(0, true); // /proc has no process of that number
  CHECK(verdict.refusal.empty());
  CHECK_FALSE(verdict.verified);
}

TEST_CASE("threads that cannot be seen are counted when they are let start") {
  ThreadCount unseen;
  std::uint32_t let = 1; // the first thread
  while (let < 2 * maxThreads && unseen.admits(0)) ++let;
  CHECK(let == maxThreads);
  CHECK_FALSE(unseen.admits(0));
  // When the threads are visible again, their real number counts.
  CHECK(unseen.admits(::getpid()));
  ThreadCount seen;
  for (std::uint32_t i = 0; i < 2 * maxThreads; ++i) REQUIRE(seen.admits(::getpid()));
}

TEST_CASE("where threads cannot be refused, a process with far too many is ended") {
  Start start;
  Descriptor output;
  Watch watch(start, output);
  greet(watch);
  REQUIRE_FALSE(watch.countsThreads());
  REQUIRE(watch.checkConfinement(::getpid(), false).refusal.empty());
  CHECK(lookWhenDue(watch).empty());
  const Threads many(2 * maxThreads + 1);
  CHECK(contains(lookWhenDue(watch), "threads, and 256 are allowed"));
}

TEST_CASE("a cache folder is counted again only after its process has run") {
  const TemporaryFolder folder;
  Start start;
  start.instance = "writer";
  start.cacheDirectory = folder.path() + "/cache";
  start.cacheBytes = piece / 2;
  REQUIRE(::mkdir(start.cacheDirectory.c_str(), 0700) == 0);
  const Writer writer(folder.path() + "/cache/written");
  const std::string within = start.cacheDirectory + "/put";
  Descriptor output;
  Watch watch(start, output);
  greet(watch);
  REQUIRE(watch.checkConfinement(writer.number(), false).refusal.empty());
  // The process may still have been about to wait, so this looks more than once.
  std::string why;
  for (auto ran = processorTime(writer.number()), before = ran; why.empty(); before = ran) {
    why = lookWhenDue(watch, writer.number());
    ran = processorTime(writer.number());
    REQUIRE(ran);
    if (ran == before) break;
  }
  INFO(why);
  CHECK(why.empty());
  // The process did not run, so the watch does not measure the folder.
  std::ofstream(within) << std::string(piece, 'x');
  REQUIRE_FALSE(quotaProblem(start).empty());
  CHECK(lookWhenDue(watch, writer.number()).empty());
  CHECK(lookWhenDue(watch, writer.number()).empty());
  REQUIRE(::unlink(within.c_str()) == 0);
  // The process ran, so the next look finds the new file.
  writer.write();
  CHECK(contains(lookWhenDue(watch, writer.number()), "holds more than cache_mb allows"));
}
