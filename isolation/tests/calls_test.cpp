// SPDX-License-Identifier: Apache-2.0
// The table of system calls must match the documentation, and the filter built from it must work.
#include "catch2.hpp"
#include "ground/descriptor.hpp"
#include "process/calls.hpp"
#include "process/confinement.hpp"
#include "temporary_folder.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

using namespace skillhost;
using namespace skillhost::process;

namespace {

constexpr int noFilter = 200;

std::string quoted(const char *name) { return "`" + std::string(name) + "`"; }

std::string rowOf(const CallGroup &group) {
  std::string calls, values;
  for (const AllowedCall &call : group.calls) {
    calls += (calls.empty() ? "" : " ") + quoted(call.name);
    if (call.values.empty()) continue;
    values += " `" + std::string(call.name) + "` with";
    for (const CallValue &value : call.values)
      values += (&value == call.values.data() ? " " : ", ") + quoted(value.name);
    values += ".";
  }
  const char *when = group.needs == Needs::Network ? "with a network" : "always";
  return "| " + std::string(group.what) + " | " + when + " | " + calls + " | " + group.why +
         values + " |\n";
}

// Returns the status that waitpid(2) gives for a child that confines itself and makes a call. The
// child exits with 0 or the errno of the call.
int endOfChild(const std::function<bool()> &confine, const std::function<long()> &call) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!confine()) ::_exit(noFilter);
    ::_exit(call() < 0 ? errno : 0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

int exitOfChild(const std::function<bool()> &confine, const std::function<long()> &call) {
  const int status = endOfChild(confine, call);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

int inConfinedChild(bool network, const std::function<long()> &call) {
  return exitOfChild([network] { return confineCalls(network).complete; }, call);
}

// The child must ask a supplier for each socket, and no supplier answers, so a call that the filter
// lets ask would wait.
int supplied(const std::function<long()> &call) {
  return exitOfChild(
      [] {
        auto [own, host] = socketPair();
        const bool isConfined = confineSockets(::dup(own.number())).suppliesSockets;
        static_cast<void>(new Descriptor(std::move(host))); // stays open until the child ends
        return isConfined;
      },
      call);
}

bool kernelFilters() {
  if (inConfinedChild(false, [] { return 0; }) != noFilter) return true;
  WARN("this kernel has no seccomp: what it would refuse was not tested");
  return false;
}

int local(const std::function<long()> &call) { return inConfinedChild(false, call); }
int networked(const std::function<long()> &call) { return inConfinedChild(true, call); }
int makeSocket(int family, int kind, int protocol) {
  return networked([=] { return ::socket(family, kind, protocol); });
}

} // namespace

TEST_CASE("the documented table of system calls is the one in force") {
  std::ifstream file(ISOLATION_PAGE);
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str(), begin = "<!-- calls:begin -->\n", end = "<!-- calls:end -->";
  const std::size_t from = text.find(begin), until = text.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(until != std::string::npos);
  std::string table = "| for | when | system calls | why |\n| --- | --- | --- | --- |\n";
  for (const CallGroup &group : allowedCalls()) table += rowOf(group);
  INFO("between calls:begin and calls:end of doc/isolation.md has to stand:\n" << table);
  CHECK(text.substr(from + begin.size(), until - from - begin.size()) == table);
}

TEST_CASE("no system call is in the table twice") {
  std::set<std::string> seen;
  for (const CallGroup &group : allowedCalls())
    for (const AllowedCall &call : group.calls) {
      INFO(call.name);
      CHECK(seen.insert(call.name).second);
    }
}

TEST_CASE("sockets are those of the internet, and none without a network") {
  if (!kernelFilters()) return;
  CHECK(local([] { return ::socket(AF_INET, SOCK_STREAM, 0); }) == EPERM);
  CHECK(makeSocket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) == 0);
  CHECK(makeSocket(AF_INET, SOCK_DGRAM, IPPROTO_UDP) == 0);
  CHECK(makeSocket(AF_INET6, SOCK_STREAM, IPPROTO_TCP) != EPERM);
  CHECK(makeSocket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE) == 0);
  CHECK(makeSocket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT) == EPERM);
  CHECK(makeSocket(AF_NETLINK, SOCK_RAW, IPPROTO_TCP) == EPERM);
  CHECK(makeSocket(AF_INET, SOCK_RAW, IPPROTO_UDP) == EPERM);
  CHECK(makeSocket(AF_INET, SOCK_STREAM, IPPROTO_SCTP) == EPERM);
  CHECK(makeSocket(AF_UNIX, SOCK_STREAM, 0) == EPERM);
  CHECK(makeSocket(AF_PACKET, SOCK_RAW, 0) == EPERM);
  CHECK(networked([] { return ::listen(0, 1); }) == EPERM);
  std::array<int, 2> pair{};
  CHECK(local([&] { return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()); }) ==
        0);
  CHECK(local([&] { return ::socketpair(AF_UNIX, SOCK_DGRAM, 0, pair.data()); }) == EPERM);
}

TEST_CASE("the kernel's half of an argument decides, whatever is in the other") {
  if (!kernelFilters()) return;
  constexpr long high = 1L << 32U;
  CHECK(networked([] { return ::syscall(SYS_socket, AF_UNIX | high, SOCK_STREAM, 0); }) == EPERM);
  CHECK(networked([] { return ::syscall(SYS_socket, AF_INET | high, SOCK_STREAM | high, high); }) ==
        0);
  CHECK(local([] { return ::syscall(SYS_fcntl, 0, F_SETOWN | high, 0); }) == EPERM);
  CHECK(local([] { return ::syscall(SYS_fcntl, 0, F_GETFD | high, 0); }) != EPERM);
  CHECK(local([] { return ::syscall(SYS_kill, ::getppid(), 0); }) == EPERM);
  CHECK(local([] { return ::syscall(SYS_kill, ::getpid(), 0); }) == 0);
}

TEST_CASE("no socket's closing waits for its peer") {
  if (!kernelFilters()) return;
  const auto set = [](long level, long option) {
    return networked([=] {
      const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
      const std::array<int, 2> on{1, 1};
      return ::syscall(SYS_setsockopt, socket, level, option, on.data(), sizeof on);
    });
  };
  constexpr long high = 1L << 32U;
  CHECK(set(SOL_SOCKET, SO_LINGER) == EPERM);
  CHECK(set(SOL_SOCKET | high, SO_LINGER | high) == EPERM);
  CHECK(set(SOL_SOCKET, SO_KEEPALIVE) == 0);
  CHECK(set(IPPROTO_TCP, SO_LINGER) != EPERM); // this number is another option at that level
}

TEST_CASE("calls by the numbers of another architecture are no way around the filter") {
  if (!kernelFilters()) return;
#if defined(__x86_64__)
  constexpr long numbersOfX32 = 0x40000000;
  CHECK(local([] { return ::syscall(SYS_getpid | numbersOfX32); }) == EPERM);
  CHECK(local([] { return ::syscall(SYS_execve | numbersOfX32, "/bin/true", 0, 0); }) == EPERM);
  const auto bySoftwareInterrupt = [] {
    long result = 20; // number of getpid on i386
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
    return result < 0 ? -1L : 0L;
  };
  const int control = endOfChild([] { return true; }, bySoftwareInterrupt);
  if (!WIFEXITED(control) || WEXITSTATUS(control) != 0) {
    WARN("this kernel has no calls of i386: what becomes of them was not tested");
    return;
  }
  const int end = endOfChild([] { return confineCalls(false).complete; }, bySoftwareInterrupt);
  CHECK(WIFSIGNALED(end));
  CHECK(WTERMSIG(end) == SIGSYS);
#endif
}

TEST_CASE("where the host gives the sockets, others are refused and none is listened on") {
  if (supplied([] { return 0; }) == noFilter) {
    WARN("this kernel cannot have sockets given: what it would refuse was not tested");
    return;
  }
  for (const int family : {AF_UNIX, AF_INET6, AF_NETLINK, AF_PACKET}) {
    INFO(family);
    CHECK(supplied([=] { return ::socket(family, SOCK_STREAM, 0); }) == EACCES);
  }
  CHECK(supplied([] { return ::socket(AF_INET, SOCK_DGRAM, 0); }) == EACCES);
  CHECK(supplied([] { return ::socket(AF_INET, SOCK_RAW, IPPROTO_TCP); }) == EACCES);
  CHECK(supplied([] { return ::socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP); }) == EACCES);
  CHECK(supplied([] { return ::bind(0, nullptr, 0); }) == EACCES);
  CHECK(supplied([] { return ::listen(0, 1); }) == EACCES);
  CHECK(supplied([] { return ::accept4(0, nullptr, nullptr, 0); }) == EACCES);
  constexpr long ringSetup = 425;
  CHECK(supplied([] { return ::syscall(ringSetup, 1, nullptr); }) == EACCES);
  CHECK(supplied([] { return ::sendto(-1, "", 0, MSG_FASTOPEN, nullptr, 0); }) == EACCES);
  CHECK(supplied([] { return ::sendmsg(-1, nullptr, MSG_FASTOPEN | MSG_NOSIGNAL); }) == EACCES);
  CHECK(supplied([] { return ::sendmmsg(-1, nullptr, 0, MSG_FASTOPEN); }) == EACCES);
  CHECK(supplied([] { return ::sendto(-1, "", 0, MSG_NOSIGNAL, nullptr, 0); }) == EBADF);
#if defined(__x86_64__)
  CHECK(supplied([] { return ::syscall(SYS_getpid | 0x40000000); }) == EACCES);
#endif
}

TEST_CASE("no file is made with a set-user-id or set-group-id bit") {
  if (!kernelFilters()) return;
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/made";
  const auto open = [&](int flags, mode_t mode) {
    return local([&, flags, mode] { return ::open(path.c_str(), flags, mode); });
  };
  CHECK(open(O_WRONLY | O_CREAT, 04755) == EPERM);
  CHECK(open(O_WRONLY | O_CREAT, 02755) == EPERM);
  CHECK(open(O_WRONLY | O_CREAT, 01755) == 0);
  CHECK(local([&] { return ::syscall(SYS_openat, AT_FDCWD, path.c_str(), O_RDONLY, 07777); }) == 0);
  const std::string directory = folder.path();
  CHECK(local([&] { return ::open(directory.c_str(), O_WRONLY | O_TMPFILE, 04700); }) == EPERM);
#ifdef SYS_creat
  CHECK(local([&] { return ::syscall(SYS_creat, path.c_str(), 04755); }) == EPERM);
  CHECK(local([&] { return ::syscall(SYS_creat, path.c_str(), 0755); }) == 0);
#endif
}

TEST_CASE("threads are no processes, and what a library can do without is said to be missing") {
  if (!kernelFilters()) return;
  CHECK(local([] { return ::fork(); }) == EPERM);
  CHECK(local([] { return ::syscall(SYS_clone, CLONE_VM | SIGCHLD, 0, 0, 0, 0); }) == EPERM);
  // A thread must share everything, its descriptors included, because nobody would count
  // descriptors of its own.
  constexpr unsigned shared = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD;
  CHECK(local([] { return ::syscall(SYS_clone, shared, 0, 0, 0, 0); }) == EPERM);
  CHECK(local([] { return ::syscall(SYS_clone, CLONE_THREAD, 0, 0, 0, 0); }) == EPERM);
  CHECK(local([] {
          std::thread other([] {});
          other.join();
          return 0;
        }) == 0);
  CHECK(local([] { return ::syscall(SYS_clone, CLONE_THREAD | CLONE_NEWUTS, 0, 0, 0, 0); }) ==
        EPERM);
  constexpr int clone3 = 435, openat2 = 437, future = 511;
  for (const int number : {clone3, openat2, future})
    CHECK(local([number] { return ::syscall(number, 0, 0, 0, 0); }) == ENOSYS);
  CHECK(local([] { return ::prctl(PR_SET_DUMPABLE, 1); }) == EPERM);
  CHECK(local([] { return ::prctl(PR_SET_NAME, "named"); }) == 0);
}
