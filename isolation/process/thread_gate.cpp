// SPDX-License-Identifier: Apache-2.0
#include "process/thread_gate.hpp"

#include "process/filter_program.hpp"
#include "process/process_status.hpp"

#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace skillhost::process {
namespace {

// Leaves room for larger notices of newer kernels.
constexpr std::size_t roomForNotice = 512;
using Room = std::array<char, roomForNotice>;

Descriptor installNotifier() {
  // The filter of confine() makes sure that the call is one of this architecture, on which it
  // refuses clone3.
  FilterProgram program;
  program.loadNumber();
  program.unlessEqual(SYS_clone, 1);
  program.answer(SECCOMP_RET_USER_NOTIF);
  program.answer(SECCOMP_RET_ALLOW);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return {};
  return Descriptor(program.listen());
}

// Linux 5.5 allows a notified call to continue, but nothing reveals that. pidfd_getfd appeared in
// Linux 5.6.
bool kernelHasIt() {
  constexpr int pidfdGetfd = 438; // on both architectures
  if (::syscall(pidfdGetfd, -1, 0, 0) < 0 && errno == ENOSYS) return false;
  seccomp_notif_sizes sizes{};
  return ::syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) == 0 &&
         sizes.seccomp_notif <= roomForNotice && sizes.seccomp_notif_resp <= roomForNotice;
}

} // namespace

void offerThreadGate(int control, Listener listener) {
  const bool own = listener == Listener::Own && kernelHasIt();
  const Descriptor notices = own ? installNotifier() : Descriptor();
  sendDescriptor(control, notices.number());
}

bool ThreadGate::accept(int control) {
  std::optional<Descriptor> notices = receiveDescriptor(control);
  if (!notices) return false;
  if (*notices) notices_ = *std::move(notices);
  return true;
}

bool ThreadGate::answer(pid_t process) {
  alignas(seccomp_notif) Room noticeRoom{};
  if (::ioctl(notices_.number(), SECCOMP_IOCTL_NOTIF_RECV, noticeRoom.data()) != 0) {
    // The thread that asked may have ended.
    if (errno != ENOENT && errno != EINTR) close();
    return false;
  }
  const auto *const notice = reinterpret_cast<const seccomp_notif *>(noticeRoom.data());
  return answerClone(notices_.number(), notice->id, process, count_);
}

bool ThreadCount::admits(pid_t process) {
  if (const std::optional<KernelStatus> seen = readKernelStatus(process)) known = seen->threads;
  if (known >= maxThreads) return false;
  ++known;
  return true;
}

bool answerClone(int listener, std::uint64_t id, pid_t process, ThreadCount &count) {
  const bool refused = !count.admits(process);
  alignas(seccomp_notif_resp) Room answerRoom{};
  auto *const answer = reinterpret_cast<seccomp_notif_resp *>(answerRoom.data());
  answer->id = id;
  if (refused)
    answer->error = -EAGAIN;
  else
    answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, answer);
  return refused;
}

} // namespace skillhost::process
