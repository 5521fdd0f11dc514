// SPDX-License-Identifier: Apache-2.0
// Turns the table of system calls into a seccomp filter, written by hand. A call without conditions
// is found by binary search. Kernels since 5.11 remember that it is always allowed and do not run
// the filter.
#include "process/calls.hpp"
#include "process/confinement.hpp"
#include "process/filter_program.hpp"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace skillhost::process {
namespace {

constexpr std::uint32_t allowed = SECCOMP_RET_ALLOW;
constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
// From this number on, calls have the same numbers on all architectures. Libraries can do without
// these calls (clone3, openat2) if the kernel answers that it lacks them.
constexpr std::uint32_t firstNewer = 424;
constexpr std::uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;

// Flags with which the C libraries (glibc, musl) and Go start a thread.
constexpr std::uint32_t ofThreads =
    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
    CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | CLONE_DETACHED;
// A thread must share these. Otherwise it could hold files and memory that nobody counts.
constexpr std::uint32_t sharedByThreads =
    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
constexpr std::uint32_t makesFile = O_CREAT | (O_TMPFILE & ~O_DIRECTORY);
constexpr std::uint32_t setIds = S_ISUID | S_ISGID;
constexpr std::uint32_t kindOfSocket = ~static_cast<std::uint32_t>(SOCK_CLOEXEC | SOCK_NONBLOCK);

// Each of these functions returns the end of a filter for one call, which always answers.
FilterProgram oneOf(std::size_t place, const std::vector<std::uint32_t> &values) {
  FilterProgram program;
  program.loadArgument(place);
  for (const std::uint32_t value : values) {
    program.unlessEqual(value, 1);
    program.answer(allowed);
  }
  program.answer(refuse);
  return program;
}

FilterProgram oneOf(std::size_t place, std::span<const CallValue> values) {
  std::vector<std::uint32_t> numbers;
  for (const CallValue &value : values) numbers.push_back(value.value);
  return oneOf(place, numbers);
}

FilterProgram modeWithoutSetIds(std::size_t place) {
  FilterProgram program;
  program.loadArgument(place);
  program.unlessAnyBit(setIds, 1);
  program.answer(refuse);
  program.answer(allowed);
  return program;
}

// Without these flags the kernel ignores the mode, which may be any value.
FilterProgram openWithoutSetIds(std::size_t flags) {
  FilterProgram program;
  program.loadArgument(flags);
  program.unlessAnyBit(makesFile, static_cast<std::uint8_t>(modeWithoutSetIds(0).size()));
  program.append(modeWithoutSetIds(flags + 1));
  program.answer(allowed);
  return program;
}

FilterProgram threadAlone() {
  FilterProgram program;
  program.loadArgument(0);
  program.unlessAnyBit(~ofThreads, 1);
  program.answer(refuse);
  program.keepBits(sharedByThreads);
  program.unlessEqual(sharedByThreads, 1);
  program.answer(allowed);
  program.answer(refuse);
  return program;
}

// With SO_LINGER, closing a socket waits for its peer, even in the host, to which it may have been
// sent.
FilterProgram withoutLinger() {
  FilterProgram program;
  program.loadArgument(1);
  program.unlessEqual(SOL_SOCKET, 3);
  program.loadArgument(2);
  program.unlessEqual(SO_LINGER, 1);
  program.answer(refuse);
  program.answer(allowed);
  return program;
}

FilterProgram pairOfStreams() {
  FilterProgram program;
  program.loadArgument(0);
  program.unlessEqual(AF_UNIX, 4);
  program.loadArgument(1);
  program.keepBits(kindOfSocket);
  program.unlessEqual(SOCK_STREAM, 1);
  program.answer(allowed);
  program.answer(refuse);
  return program;
}

FilterProgram internetSocket() {
  const FilterProgram protocol = oneOf(2, {0, IPPROTO_TCP, IPPROTO_UDP});
  const FilterProgram addresses = oneOf(2, {0}); // NETLINK_ROUTE
  FilterProgram program;
  program.loadArgument(0);
  program.unlessEqual(AF_NETLINK, static_cast<std::uint8_t>(addresses.size()));
  program.append(addresses);
  program.ifEqual(AF_INET, 2);
  program.ifEqual(AF_INET6, 1);
  program.answer(refuse);
  program.loadArgument(1);
  program.keepBits(kindOfSocket);
  program.ifEqual(SOCK_STREAM, 2);
  program.ifEqual(SOCK_DGRAM, 1);
  program.answer(refuse);
  program.append(protocol);
  return program;
}

FilterProgram conditionsOf(const AllowedCall &call) {
  const auto self = static_cast<std::uint32_t>(::getpid());
  switch (call.rule) {
  case Rule::FirstIs:
    return oneOf(0, call.values);
  case Rule::SecondIs:
    return oneOf(1, call.values);
  case Rule::FirstOwn:
    return oneOf(0, {self});
  case Rule::OwnOrNone:
    return oneOf(0, {0, self});
  case Rule::Open:
    return openWithoutSetIds(1);
  case Rule::OpenAt:
    return openWithoutSetIds(2);
  case Rule::Creat:
    return modeWithoutSetIds(1);
  case Rule::Thread:
    return threadAlone();
  case Rule::Pair:
    return pairOfStreams();
  case Rule::Internet:
    return internetSocket();
  case Rule::NoLinger:
    return withoutLinger();
  case Rule::Free:
    break;
  }
  FilterProgram free;
  free.answer(allowed);
  return free;
}

struct Range {
  std::uint32_t first, last;
};

// Joins neighbouring numbers into ranges and keeps their order.
std::vector<Range> rangesOf(std::vector<std::uint32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::vector<Range> ranges;
  for (const std::uint32_t number : numbers)
    if (!ranges.empty() && ranges.back().last + 1 >= number)
      ranges.back().last = number;
    else
      ranges.push_back({number, number});
  return ranges;
}

// Allows numbers in one of the ranges. Other numbers continue behind this part.
FilterProgram within(std::span<const Range> ranges) {
  FilterProgram program;
  if (ranges.size() == 1) {
    program.unlessAtLeast(ranges[0].first, 2);
    program.ifAtLeast(ranges[0].last + 1, 1);
    program.answer(allowed);
    return program;
  }
  const std::size_t half = ranges.size() / 2;
  const FilterProgram below = within(ranges.first(half));
  const FilterProgram above = within(ranges.subspan(half));
  program.unlessAtLeast(ranges[half].first, 1);
  program.jump(below.size() + 1);
  program.append(below);
  program.jump(above.size());
  program.append(above);
  return program;
}

} // namespace

ConfinementResult confineCalls(bool network) {
  if (FilterProgram::architecture == 0) return {false, "no seccomp (not on this architecture)"};
  FilterProgram program;
  program.begin(refuse);
  std::vector<std::uint32_t> free;
  for (const CallGroup &group : allowedCalls()) {
    if (group.needs == Needs::Network && !network) continue;
    for (const AllowedCall &call : group.calls) {
      if (call.number == absentCall) continue;
      const auto number = static_cast<std::uint32_t>(call.number);
      if (call.rule == Rule::Free) {
        free.push_back(number);
        continue;
      }
      const FilterProgram conditions = conditionsOf(call);
      program.unlessEqual(number, static_cast<std::uint8_t>(conditions.size()));
      program.append(conditions);
    }
  }
  program.append(within(rangesOf(std::move(free))));
  program.unlessAtLeast(firstNewer, 1);
  program.answer(unknown);
  program.answer(refuse);
  if (program.install()) return {true, network ? "seccomp with sockets" : "seccomp"};
  return {false, "no seccomp (" + std::generic_category().message(errno) + ")"};
}

} // namespace skillhost::process
