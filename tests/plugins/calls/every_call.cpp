// SPDX-License-Identifier: Apache-2.0
#include "probe.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

namespace probe {
namespace {

constexpr long lastNumber = 511; // some beyond those of today's kernels

using Arguments = std::array<long, 6>;

const std::map<long, const char *> &names() {
  static const std::map<long, const char *> all{
#define CALL(name) {SYS_##name, #name},
#include "call_names.inc"
#undef CALL
  };
  return all;
}

// These calls cannot be tried, confined or not.
const std::map<std::string, const char *> skipped{
    {"exit", "ends the thread"},
    {"exit_group", "ends the process"},
    {"rt_sigreturn", "ends the process: there is no signal to come back from"},
    {"uretprobe", "ends the process: there is no probe to come back from"},
    {"uprobe", "ends the process: there is no probe to come back from"},
    {"335", "ends the process: uretprobe, newer than the headers"},
    {"336", "ends the process: uprobe, newer than the headers"},
    {"pause", "waits for a signal"},
};
// These calls are harmless only where they are refused.
const std::map<std::string, const char *> skippedInControl{
    {"sync", "waits for every disk"},
    {"vfork", "two processes on one stack"},
    {"vhangup", "root takes the terminal from others by it"},
};

// Returns arguments for calls whose nonsense arguments would be refused by the filter, or would
// have an effect.
Arguments argumentsFor(const std::string &name) {
  const long self = ::getpid(), nowhere = -1;
  static char text[] = "probe";
  static const std::map<std::string, Arguments> harmless{
      {"kill", {self, 0}},
      {"tgkill", {self, self, 0}},
      {"prlimit64", {0, nowhere}},
      {"sched_setaffinity", {0, 0, 0}},
      {"fcntl", {nowhere, F_GETFD}},
      {"ioctl", {nowhere, FIONBIO}},
      {"prctl", {PR_GET_NAME, nowhere}},
      {"socketpair", {AF_UNIX, SOCK_STREAM, 0, nowhere}},
      {"socket", {AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0}},
      {"open", {reinterpret_cast<long>(text), O_DIRECTORY | O_CLOEXEC, 0}},
      {"openat", {nowhere, reinterpret_cast<long>(text), O_CLOEXEC, 0}},
      {"creat", {nowhere, 0}},
      {"umask", {022}},
      {"personality", {0xffffffff}}, // only reads
      {"futex", {nowhere, 1, 0}},    // wakes nobody at an invalid address
      {"msgget", {nowhere, 0}},      // makes no queue
      {"shmget", {nowhere, 0, 0}},
  };
  if (const auto found = harmless.find(name); found != harmless.end()) return found->second;
  return {nowhere, nowhere, nowhere, nowhere, nowhere, nowhere};
}

std::string nameOf(long number) {
  const auto found = names().find(number);
  return found == names().end() ? std::to_string(number) : found->second;
}

// The thread shares the variables of its starter, so it may touch none, nor may a sanitizer's code.
__attribute__((no_sanitize("address", "thread", "undefined"))) int doNothing(void * /*nothing*/) {
  return 0;
}

// Starts a thread that ends at once.
long threadOfNothing() {
  alignas(16) static std::array<char, 16384> stack;
  return ::clone(&doNothing, stack.data() + stack.size(),
                 CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM,
                 nullptr);
}

std::string tryCall(long number, const std::string &name, bool control) {
  for (const auto *list : {&skipped, &skippedInControl})
    if (const auto found = list->find(name); found != list->end() && (control || list == &skipped))
      return std::string("skipped: ") + found->second;
  if (name == "clone") return outcome(threadOfNothing());
  const Arguments with = argumentsFor(name);
  const long result = ::syscall(number, with[0], with[1], with[2], with[3], with[4], with[5]);
  if ((name == "fork" || name == "vfork") && result == 0) ::_exit(0);
  const std::string how = outcome(result);
  const bool opens = name == "socket" || name == "eventfd" || name == "inotify_init";
  if (opens && result >= 0) ::close(static_cast<int>(result));
  return how;
}

} // namespace

std::string outcome(long result) {
  if (result >= 0) return "ok";
  const char *name = ::strerrorname_np(errno);
  return name == nullptr ? std::to_string(errno) : name;
}

std::vector<Attempt> everyCall(bool control) {
  std::vector<Attempt> all;
  std::mutex mutex;
  std::condition_variable done;
  bool ended = false;
  // Nobody joins this thread: set_tid_address changes the address by which its end would be
  // reported.
  std::thread([&] {
    std::vector<Attempt> found;
    for (long number = 0; number <= lastNumber; ++number) {
      const std::string name = nameOf(number);
      found.push_back({name, tryCall(number, name, control)});
    }
    const std::scoped_lock lock(mutex);
    all = std::move(found);
    ended = true;
    done.notify_one();
  }).detach();
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return ended; });
  return all;
}

} // namespace probe
