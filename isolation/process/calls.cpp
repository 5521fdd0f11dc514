// SPDX-License-Identifier: Apache-2.0
#include "process/calls.hpp"

#include <fcntl.h>
#include <linux/prctl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <array>

namespace skillhost::process {
namespace {

namespace calls {

#define CALL(name) {#name, SYS_##name}
#define RULED(name, ...) {#name, SYS_##name, __VA_ARGS__}
// These calls exist on x86-64 only. Newer architectures lack them.
#if defined(__x86_64__)
#define OLD_CALL(name) CALL(name)
#define OLD_RULED(name, ...) RULED(name, __VA_ARGS__)
#else
#define OLD_CALL(name) {#name, absentCall}
#define OLD_RULED(name, ...) OLD_CALL(name)
#endif
#define VALUE(name) {#name, static_cast<std::uint32_t>(name)}

constexpr std::array memory = std::to_array<AllowedCall>({
    CALL(brk),
    CALL(mmap),
    CALL(munmap),
    CALL(mprotect),
    CALL(mremap),
    CALL(madvise),
    CALL(msync),
});

constexpr std::array threads = std::to_array<AllowedCall>({
    CALL(futex),
    CALL(set_robust_list),
    CALL(set_tid_address),
    CALL(rseq),
    CALL(sched_yield),
    CALL(sched_getaffinity),
    CALL(sched_getparam),
    CALL(sched_getscheduler),
    CALL(sched_get_priority_max),
    CALL(sched_get_priority_min),
    CALL(getcpu),
    CALL(restart_syscall),
    CALL(exit),
    CALL(exit_group),
});

constexpr std::array thread = std::to_array<AllowedCall>({RULED(clone, Rule::Thread)});

constexpr std::array waiting = std::to_array<AllowedCall>({
    OLD_CALL(poll),
    CALL(ppoll),
    OLD_CALL(select),
    CALL(pselect6),
    OLD_CALL(epoll_create),
    CALL(epoll_create1),
    CALL(epoll_ctl),
    OLD_CALL(epoll_wait),
    CALL(epoll_pwait),
    CALL(eventfd2),
    CALL(timerfd_create),
    CALL(timerfd_settime),
    CALL(timerfd_gettime),
    CALL(nanosleep),
    CALL(clock_nanosleep),
    OLD_CALL(pause),
});

constexpr std::array clocks = std::to_array<AllowedCall>({
    CALL(clock_gettime),
    CALL(clock_getres),
    CALL(gettimeofday),
    OLD_CALL(time),
    CALL(times),
});

constexpr std::array signalsWithin = std::to_array<AllowedCall>({
    CALL(rt_sigaction),
    CALL(rt_sigprocmask),
    CALL(rt_sigreturn),
    CALL(rt_sigpending),
    CALL(rt_sigtimedwait),
    CALL(rt_sigsuspend),
    CALL(sigaltstack),
});

constexpr std::array signalsSent = std::to_array<AllowedCall>({
    RULED(kill, Rule::FirstOwn),
    RULED(tgkill, Rule::FirstOwn),
});

constexpr std::array descriptors = std::to_array<AllowedCall>({
    CALL(read),     CALL(write),           CALL(readv),          CALL(writev),    CALL(pread64),
    CALL(pwrite64), CALL(preadv),          CALL(pwritev),        CALL(preadv2),   CALL(pwritev2),
    CALL(lseek),    CALL(close),           {"close_range", 436}, // newer than some headers
    CALL(dup),      OLD_CALL(dup2),        CALL(dup3),           OLD_CALL(pipe),  CALL(pipe2),
    CALL(fsync),    CALL(fdatasync),       CALL(ftruncate),      CALL(fallocate), CALL(fadvise64),
    CALL(sendfile), CALL(copy_file_range), CALL(flock),
});

constexpr std::array commands = std::to_array<CallValue>({
    VALUE(F_DUPFD),
    VALUE(F_DUPFD_CLOEXEC),
    VALUE(F_GETFD),
    VALUE(F_SETFD),
    VALUE(F_GETFL),
    VALUE(F_SETFL),
    VALUE(F_GETLK),
    VALUE(F_SETLK),
    VALUE(F_SETLKW),
    VALUE(F_OFD_GETLK),
    VALUE(F_OFD_SETLK),
    VALUE(F_OFD_SETLKW),
});
constexpr std::array requests = std::to_array<CallValue>({
    VALUE(FIONREAD),
    VALUE(FIONBIO),
    VALUE(FIOCLEX),
    VALUE(FIONCLEX),
    VALUE(TCGETS),
    VALUE(TIOCGWINSZ),
});
constexpr std::array descriptorSettings = std::to_array<AllowedCall>({
    RULED(fcntl, Rule::SecondIs, commands),
    RULED(ioctl, Rule::SecondIs, requests),
});

constexpr std::array opening = std::to_array<AllowedCall>({
    OLD_RULED(open, Rule::Open),
    RULED(openat, Rule::OpenAt),
    OLD_RULED(creat, Rule::Creat),
});

constexpr std::array looking = std::to_array<AllowedCall>({
    OLD_CALL(stat),
    OLD_CALL(lstat),
    CALL(fstat),
    CALL(newfstatat),
    CALL(statx),
    OLD_CALL(access),
    CALL(faccessat),
    {"faccessat2", 439}, // newer than some headers
    OLD_CALL(readlink),
    CALL(readlinkat),
    CALL(getdents64),
    CALL(statfs),
    CALL(fstatfs),
    CALL(getcwd),
    CALL(chdir),
    CALL(fchdir),
    CALL(umask),
});

constexpr std::array names = std::to_array<AllowedCall>({
    OLD_CALL(mkdir),
    CALL(mkdirat),
    OLD_CALL(rmdir),
    OLD_CALL(unlink),
    CALL(unlinkat),
    OLD_CALL(rename),
    CALL(renameat),
    CALL(renameat2),
    OLD_CALL(link),
    CALL(linkat),
    OLD_CALL(symlink),
    CALL(symlinkat),
});

constexpr std::array itself = std::to_array<AllowedCall>({
    CALL(getpid),    CALL(gettid),    CALL(getppid),   CALL(getpgid), OLD_CALL(getpgrp),
    CALL(getsid),    CALL(getuid),    CALL(geteuid),   CALL(getgid),  CALL(getegid),
    CALL(getresuid), CALL(getresgid), CALL(getgroups), CALL(capget),  CALL(getrlimit),
    CALL(getrusage), CALL(getrandom), CALL(sysinfo),   CALL(uname),
});

constexpr std::array ownLimits = std::to_array<AllowedCall>({
    RULED(prlimit64, Rule::OwnOrNone),
    RULED(sched_setaffinity, Rule::OwnOrNone),
});

constexpr std::array options = std::to_array<CallValue>({
    VALUE(PR_SET_NAME),
    VALUE(PR_GET_NAME),
    VALUE(PR_GET_DUMPABLE),
    {"PR_SET_VMA", 0x53564d41}, // newer than some headers
});
constexpr std::array processSettings =
    std::to_array<AllowedCall>({RULED(prctl, Rule::FirstIs, options)});

constexpr std::array pair = std::to_array<AllowedCall>({RULED(socketpair, Rule::Pair)});

constexpr std::array conversation = std::to_array<AllowedCall>({
    CALL(sendto),
    CALL(recvfrom),
    CALL(shutdown),
    CALL(getsockopt),
    CALL(getsockname),
    CALL(getpeername),
});

constexpr std::array internet = std::to_array<AllowedCall>({RULED(socket, Rule::Internet)});

constexpr std::array connections = std::to_array<AllowedCall>({
    CALL(connect),
    CALL(bind),
    RULED(setsockopt, Rule::NoLinger),
});

constexpr std::array messages = std::to_array<AllowedCall>({
    CALL(sendmsg),
    CALL(recvmsg),
    CALL(sendmmsg),
    CALL(recvmmsg),
});

constexpr std::array groups = std::to_array<CallGroup>({
    {Needs::Nothing, "memory",
     "The heap, stacks, libraries. The plugin is loaded after the filter, so memory may become "
     "executable.",
     memory},
    {Needs::Nothing, "threads", "Locks and ends of threads, and where they run.", threads},
    {Needs::Nothing, "a new thread",
     "Only with the flags with which the C libraries and Go start a thread, and with those that "
     "have "
     "it share memory, descriptors and signals: no process, no namespace, no descriptors that "
     "nobody "
     "counts. `clone3` keeps its flags where no filter sees them; it "
     "is answered with `ENOSYS`, and the C library uses `clone`.",
     thread},
    {Needs::Nothing, "waiting", "For descriptors, other threads and time.", waiting},
    {Needs::Nothing, "clocks", "What time it is.", clocks},
    {Needs::Nothing, "signals within", "Handlers and masks of its own.", signalsWithin},
    {Needs::Nothing, "signals sent", "To its own process: `abort`, `raise`, `pthread_kill`.",
     signalsSent},
    {Needs::Nothing, "open descriptors", "What it has opened, it reads, writes and locks.",
     descriptors},
    {Needs::Nothing, "settings of descriptors",
     "No owner for signals (`F_SETOWN`), no watch on a folder (`F_NOTIFY`), no words put into a "
     "terminal (`TIOCSTI`).",
     descriptorSettings},
    {Needs::Nothing, "opening files",
     "Which ones, Landlock decides. A file is never made with a set-user-id or set-group-id bit. "
     "`openat2` keeps its mode where no filter sees it; it is answered with `ENOSYS`.",
     opening},
    {Needs::Nothing, "looking at files", "These change nothing on disk.", looking},
    {Needs::Nothing, "names", "In its cache folder; Landlock refuses them elsewhere.", names},
    {Needs::Nothing, "about itself", "Its numbers, user, limits, randomness, the machine's size.",
     itself},
    {Needs::Nothing, "its own limits", "Of its own process alone; none can be raised.", ownLimits},
    {Needs::Nothing, "settings of the process", "Names for a debugger.", processSettings},
    {Needs::Nothing, "a pair of sockets",
     "Of unix stream sockets, to wake a thread. A pair of datagram sockets could send to any local "
     "socket of the machine.",
     pair},
    {Needs::Nothing, "talking on sockets", "The host is spoken to on one.", conversation},
    {Needs::Network, "a socket",
     "`AF_INET` and `AF_INET6` with TCP or UDP, and `NETLINK_ROUTE`, of which the C library asks "
     "which addresses there are.",
     internet},
    {Needs::Network, "connections",
     "Outwards. No TCP connection can be accepted; UDP that is sent to it can be read. No socket "
     "whose closing waits (`SO_LINGER`).",
     connections},
    {Needs::Network, "messages",
     "Name look-ups use them. Messages can carry descriptors, so without a network they are "
     "refused.",
     messages},
});

#undef CALL
#undef RULED
#undef OLD_CALL
#undef OLD_RULED
#undef VALUE

} // namespace calls
} // namespace

std::span<const CallGroup> allowedCalls() noexcept { return calls::groups; }

} // namespace skillhost::process
