// SPDX-License-Identifier: Apache-2.0
#include "process/kernel.hpp"

#include "ground/descriptor.hpp"
#include "process/cgroup_place.hpp"
#include "process/confinement.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace skillhost::process {
namespace {

// Tests whether the kernel can restrict a process to a list of hosts. Afterwards no new socket of
// this process gets an answer.
bool holdsToHosts() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
  const Descriptor kept(ends[0]);
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && confineSockets(ends[1]).suppliesSockets;
}

[[noreturn]] void tellConfinement(int to) {
  const bool holds = holdsToHosts();
  const ConfinementResult confined = confine({});
  const std::string text = (confined.complete ? "1" : "0") + std::string(holds ? "1" : "0") +
                           confined.text +
                           (confined.refusal.empty() ? "" : "; " + confined.refusal);
  const ssize_t written = ::write(to, text.data(), text.size());
  ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
}

std::string askChild() {
  Result<Pipe> pipe = Pipe::open();
  if (!pipe) return {};
  const pid_t child = ::fork();
  if (child == 0) tellConfinement(pipe->write.number());
  pipe->write.reset();
  std::string text;
  std::array<char, 512> buffer{};
  for (;;) {
    const ssize_t got = ::read(pipe->read.number(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  if (child > 0)
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
  return text;
}

} // namespace

KernelFacts kernelFacts() {
  KernelFacts facts;
  const std::string report = askChild();
  facts.confines = report.starts_with('1');
  facts.canLimitHosts = report.size() > 1 && report[1] == '1';
  facts.confinement =
      report.size() < 2 ? "a confined test process did not finish" : report.substr(2);
  if (const auto delegated = delegatedCgroup(ownCgroupPlace()))
    facts.cgroup = delegated->folder;
  else
    facts.whyNoCgroup = delegated.failure().message;
  const Descriptor self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  facts.canWatchProcesses = static_cast<bool>(self);
  return facts;
}

} // namespace skillhost::process
