// SPDX-License-Identifier: Apache-2.0
// The table of system calls as a seccomp filter, written out by hand. A call without conditions is
// found by halving; newer kernels (5.11) remember of it that it is always allowed, and run nothing.
#include "process/calls.hpp"
#include "process/confinement.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <system_error>

namespace skillhost::process {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

constexpr std::uint32_t allowed = SECCOMP_RET_ALLOW;
constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
// From here on numbers are the same on all architectures, and libraries know how to do without
// (clone3, openat2): they do so when a kernel says that it has no such call.
constexpr std::uint32_t firstNewer = 424;
constexpr std::uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;
constexpr std::uint32_t otherNumbers = 0x40000000U; // x86-64: those of x32

// What the C libraries (glibc, musl) and Go start a thread with.
constexpr std::uint32_t ofThreads =
    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
    CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | CLONE_DETACHED;
// One with descriptors of its own would hold files and memory that nobody counts.
constexpr std::uint32_t sharedByThreads =
    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
constexpr std::uint32_t makesFile = O_CREAT | (O_TMPFILE & ~O_DIRECTORY);
constexpr std::uint32_t setIds = S_ISUID | S_ISGID;
constexpr std::uint32_t kindOfSocket = ~static_cast<std::uint32_t>(SOCK_CLOEXEC | SOCK_NONBLOCK);

class Program {
public:
  std::size_t size() const { return code_.size(); }
  void load(std::size_t offset) {
    code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  // The low half, which is all that the kernel looks at: both architectures are little endian.
  void loadArgument(std::size_t place) {
    load(offsetof(seccomp_data, args) + place * sizeof(std::uint64_t));
  }
  void keepBits(std::uint32_t bits) { code_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)); }
  void answer(std::uint32_t what) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, what)); }
  void jump(std::size_t skip) {
    code_.push_back(BPF_STMT(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(skip)));
  }
  void ifEqual(std::uint32_t value, std::uint8_t skip) { test(BPF_JEQ, value, skip, 0); }
  void unlessEqual(std::uint32_t value, std::uint8_t skip) { test(BPF_JEQ, value, 0, skip); }
  void ifAtLeast(std::uint32_t value, std::uint8_t skip) { test(BPF_JGE, value, skip, 0); }
  void unlessAtLeast(std::uint32_t value, std::uint8_t skip) { test(BPF_JGE, value, 0, skip); }
  void unlessAnyBit(std::uint32_t bits, std::uint8_t skip) { test(BPF_JSET, bits, 0, skip); }
  void append(const Program &other) {
    code_.insert(code_.end(), other.code_.begin(), other.code_.end());
  }
  bool install() {
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

private:
  void test(std::uint16_t how, std::uint32_t value, std::uint8_t ifSo, std::uint8_t ifNot) {
    code_.push_back(
        BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | BPF_K | how), value, ifSo, ifNot));
  }
  std::vector<sock_filter> code_;
};

// Each of these is the end of a filter for one call, and answers.
Program oneOf(std::size_t place, const std::vector<std::uint32_t> &values) {
  Program program;
  program.loadArgument(place);
  for (const std::uint32_t value : values) {
    program.unlessEqual(value, 1);
    program.answer(allowed);
  }
  program.answer(refuse);
  return program;
}

Program oneOf(std::size_t place, std::span<const CallValue> values) {
  std::vector<std::uint32_t> numbers;
  for (const CallValue &value : values) numbers.push_back(value.value);
  return oneOf(place, numbers);
}

Program modeWithoutSetIds(std::size_t place) {
  Program program;
  program.loadArgument(place);
  program.unlessAnyBit(setIds, 1);
  program.answer(refuse);
  program.answer(allowed);
  return program;
}

// Without these flags the mode is whatever was in the register.
Program openWithoutSetIds(std::size_t flags) {
  Program program;
  program.loadArgument(flags);
  program.unlessAnyBit(makesFile, static_cast<std::uint8_t>(modeWithoutSetIds(0).size()));
  program.append(modeWithoutSetIds(flags + 1));
  program.answer(allowed);
  return program;
}

Program threadAlone() {
  Program program;
  program.loadArgument(0);
  program.unlessAnyBit(~ofThreads, 1);
  program.answer(refuse);
  program.keepBits(sharedByThreads);
  program.unlessEqual(sharedByThreads, 1);
  program.answer(allowed);
  program.answer(refuse);
  return program;
}

// Closing such a socket waits for its peer, whoever closes it: it may have been sent to the host.
Program withoutLinger() {
  Program program;
  program.loadArgument(1);
  program.unlessEqual(SOL_SOCKET, 3);
  program.loadArgument(2);
  program.unlessEqual(SO_LINGER, 1);
  program.answer(refuse);
  program.answer(allowed);
  return program;
}

Program pairOfStreams() {
  Program program;
  program.loadArgument(0);
  program.unlessEqual(AF_UNIX, 4);
  program.loadArgument(1);
  program.keepBits(kindOfSocket);
  program.unlessEqual(SOCK_STREAM, 1);
  program.answer(allowed);
  program.answer(refuse);
  return program;
}

Program internetSocket() {
  const Program protocol = oneOf(2, {0, IPPROTO_TCP, IPPROTO_UDP});
  const Program addresses = oneOf(2, {0}); // NETLINK_ROUTE
  Program program;
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

Program conditionsOf(const AllowedCall &call) {
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
  Program free;
  free.answer(allowed);
  return free;
}

struct Range {
  std::uint32_t first, last;
};

// Neighbours as one, in their order.
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

// Allows what is in one of the ranges; what is in none goes on behind.
Program within(std::span<const Range> ranges) {
  Program program;
  if (ranges.size() == 1) {
    program.unlessAtLeast(ranges[0].first, 2);
    program.ifAtLeast(ranges[0].last + 1, 1);
    program.answer(allowed);
    return program;
  }
  const std::size_t half = ranges.size() / 2;
  const Program below = within(ranges.first(half));
  const Program above = within(ranges.subspan(half));
  program.unlessAtLeast(ranges[half].first, 1);
  program.jump(below.size() + 1);
  program.append(below);
  program.jump(above.size());
  program.append(above);
  return program;
}

} // namespace

Confined confineCalls(bool network) {
  if (architecture == 0) return {false, "no seccomp (not on this architecture)"};
  Program program;
  program.load(offsetof(seccomp_data, arch));
  program.ifEqual(architecture, 1);
  program.answer(SECCOMP_RET_KILL_PROCESS);
  program.load(offsetof(seccomp_data, nr));
  program.unlessAtLeast(otherNumbers, 1);
  program.answer(refuse);
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
      const Program conditions = conditionsOf(call);
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
