// SPDX-License-Identifier: Apache-2.0
// A filter before that of all calls: each socket is given by the host, connected already, so that
// no other address can ever be reached with it.
#include "process/confinement.hpp"

#include "ground/descriptor.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <vector>

namespace skillhost::process {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t machine = 0;
#endif

constexpr std::uint32_t numbersOfX32 = 0x40000000U;
constexpr std::uint32_t typeMask = 0xF; // of socket(2), without SOCK_CLOEXEC and SOCK_NONBLOCK
constexpr std::uint32_t newListener = 1U << 3U;
constexpr int ringSetup = 425;

constexpr std::uint32_t denied = SECCOMP_RET_ERRNO | EACCES;

std::uint32_t argument(std::size_t place) { // its low half: both machines are little endian
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + place * sizeof(std::uint64_t));
}

class SocketProgram {
public:
  void load(std::uint32_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); }
  void answer(std::uint32_t what) { add(BPF_RET | BPF_K, what); }
  void keep(std::uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }
  void jump(std::uint16_t how, std::uint32_t value, std::uint8_t then, std::uint8_t otherwise) {
    code_.push_back(
        BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | how | BPF_K), value, then, otherwise));
  }
  void call(int number, std::uint32_t what) {
    jump(BPF_JEQ, static_cast<std::uint32_t>(number), 0, 1);
    answer(what);
  }
  // The call `number` with one of `bits` in that argument is refused, without them allowed.
  void refuseBits(int number, std::size_t place, std::uint32_t bits) {
    jump(BPF_JEQ, static_cast<std::uint32_t>(number), 0, 4);
    load(argument(place));
    jump(BPF_JSET, bits, 0, 1);
    answer(denied);
    answer(SECCOMP_RET_ALLOW);
  }
  int listen() {
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, newListener, &program));
  }

private:
  void add(std::uint16_t code, std::uint32_t value) { code_.push_back(BPF_STMT(code, value)); }
  std::vector<sock_filter> code_;
};

// Whether the kernel knows how to answer a call with a descriptor: of a call that is not there it
// says so, and not that it does not understand.
bool givesSockets(int listener, int any) {
  seccomp_notif_addfd given{};
  given.flags = 2; // SECCOMP_ADDFD_FLAG_SEND
  given.srcfd = static_cast<std::uint32_t>(any);
  return ::ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given) < 0 && errno == ENOENT;
}

} // namespace

Confined confineSockets(int supply) {
  const Descriptor host(supply);
  const auto refused = [](const std::string &why) {
    return Confined{false, "no supply of sockets (" + why + ")"};
  };
  if (machine == 0) return refused("not on this architecture");
  SocketProgram program;
  program.load(offsetof(seccomp_data, arch));
  program.jump(BPF_JEQ, machine, 1, 0);
  program.answer(SECCOMP_RET_KILL_PROCESS);
  program.load(offsetof(seccomp_data, nr));
  program.jump(BPF_JGE, numbersOfX32, 0, 1);
  program.answer(denied);
  // TCP over IPv4 alone, which is what leads to the forwarder.
  program.jump(BPF_JEQ, SYS_socket, 0, 10);
  program.load(argument(0));
  program.jump(BPF_JEQ, AF_INET, 0, 6);
  program.load(argument(1));
  program.keep(typeMask);
  program.jump(BPF_JEQ, SOCK_STREAM, 0, 3);
  program.load(argument(2));
  program.jump(BPF_JEQ, 0, 2, 0);
  program.jump(BPF_JEQ, IPPROTO_TCP, 1, 0);
  program.answer(denied);
  program.answer(SECCOMP_RET_USER_NOTIF);
  program.call(SYS_connect, SECCOMP_RET_USER_NOTIF);
  program.call(SYS_clone, SECCOMP_RET_USER_NOTIF); // a new thread: see thread_gate.hpp
  for (const int number : {SYS_bind, SYS_listen, SYS_accept, SYS_accept4})
    program.call(number, denied);
  program.call(ringSetup, denied);
  // To connect by sending (TCP Fast Open), once a socket is closed again.
  program.refuseBits(SYS_sendto, 3, MSG_FASTOPEN);
  program.refuseBits(SYS_sendmsg, 2, MSG_FASTOPEN);
  program.refuseBits(SYS_sendmmsg, 3, MSG_FASTOPEN);
  program.answer(SECCOMP_RET_ALLOW);
  const Descriptor listener(program.listen());
  if (!listener) return refused(std::generic_category().message(errno));
  if (!givesSockets(listener.number(), host.number())) return refused("before Linux 5.14");
  // This call is not among those above; whoever holds the listener answers for them from now on.
  if (!sendDescriptor(host.number(), listener.number()))
    return refused("the host does not take it: " + std::generic_category().message(errno));
  Confined done{true, "sockets from the host alone"};
  done.suppliesSockets = true;
  return done;
}

} // namespace skillhost::process
