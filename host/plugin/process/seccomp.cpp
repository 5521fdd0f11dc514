// SPDX-License-Identifier: Apache-2.0
// Which system calls a confined process may make: a seccomp filter, written out by hand.
#include "process/confinement.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
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

// Numbers that are the same on both architectures and newer than some headers.
constexpr int ioUringSetup = 425, openTree = 428, moveMount = 429, fsopen = 430, fsmount = 432,
              clone3 = 435, pidfdGetfd = 438, mountSetattr = 442;
constexpr std::uint32_t otherNumbers = 0x40000000U; // x86-64: those of x32

constexpr std::array forbidden{
#if defined(__x86_64__)
    SYS_fork,
    SYS_vfork,
#endif
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_open_by_handle_at,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_setpgid,
    SYS_setsid,
    SYS_setpriority,
    SYS_tkill,
    SYS_pidfd_send_signal,
    ioUringSetup,
    openTree,
    moveMount,
    fsopen,
    fsmount,
    pidfdGetfd,
    mountSetattr,
};

// Signals to this process alone: its own number is the first argument.
constexpr std::array signals{SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo};

constexpr std::array own{SYS_prlimit64, SYS_sched_setaffinity, SYS_sched_setscheduler,
                         SYS_sched_setparam, SYS_sched_setattr};

constexpr std::uint32_t allow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;

class Program {
public:
  void load(std::size_t offset) {
    code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void answer(std::uint32_t what) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, what)); }
  void ifEqual(std::uint32_t value, std::uint8_t skip) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, skip, 0));
  }
  void unlessEqual(std::uint32_t value, std::uint8_t skip) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip));
  }
  void unlessAtLeast(std::uint32_t value, std::uint8_t skip) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, skip));
  }
  void unlessAnyBit(std::uint32_t bits, std::uint8_t skip) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, skip));
  }
  // The call `number`: allowed when its first argument equals one of `values`, else refused.
  void firstArgument(int number, const std::vector<int> &values) {
    unlessEqual(static_cast<std::uint32_t>(number),
                static_cast<std::uint8_t>(2 + 2 * values.size()));
    load(offsetof(seccomp_data, args)); // the low half: both machines are little endian
    for (const int value : values) {
      unlessEqual(static_cast<std::uint32_t>(value), 1);
      answer(allow);
    }
    answer(refuse);
  }
  // The call `number`: refused when argument `place` equals one of `values`, else allowed.
  void refuseWith(int number, std::size_t place, const std::vector<std::uint32_t> &values) {
    unlessEqual(static_cast<std::uint32_t>(number),
                static_cast<std::uint8_t>(2 + 2 * values.size()));
    load(offsetof(seccomp_data, args) + place * sizeof(std::uint64_t));
    for (const std::uint32_t value : values) {
      unlessEqual(value, 1);
      answer(refuse);
    }
    answer(allow);
  }
  void call(int number, std::uint32_t what) {
    unlessEqual(static_cast<std::uint32_t>(number), 1);
    answer(what);
  }
  bool install() {
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

private:
  std::vector<sock_filter> code_;
};

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
  for (const int number : forbidden) program.call(number, refuse);
  // Threads, but no processes; clone3 hides its flags from the filter, and the C library does
  // without it.
  program.call(clone3, SECCOMP_RET_ERRNO | ENOSYS);
  program.unlessEqual(SYS_clone, 4);
  program.load(offsetof(seccomp_data, args));
  program.unlessAnyBit(CLONE_THREAD, 1);
  program.answer(allow);
  program.answer(refuse);
  for (const int number : signals) program.firstArgument(number, {::getpid()});
  // The limits and the scheduling of this process alone: the host belongs to the same user.
  for (const int number : own) program.firstArgument(number, {0, ::getpid()});
  // A descriptor that becomes ready has the kernel send a signal, to whomever it is told to; and a
  // terminal takes what is put into it for the words of the person in front of it.
  program.refuseWith(SYS_fcntl, 1, {F_SETOWN, F_SETOWN_EX, F_SETSIG});
  program.refuseWith(SYS_ioctl, 1, {FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX});
  // It ends with the host, whatever the plugin thinks of that.
  program.refuseWith(SYS_prctl, 0, {PR_SET_PDEATHSIG});
  // Never a local socket: what listens there (a bus, a container engine) would do it all outside.
  program.firstArgument(SYS_socket, network ? std::vector<int>{AF_INET, AF_INET6, AF_NETLINK}
                                            : std::vector<int>{});
  program.answer(allow);
  if (program.install()) return {true, network ? "seccomp with sockets" : "seccomp"};
  return {false, "no seccomp (" + std::generic_category().message(errno) + ")"};
}

} // namespace skillhost::process
