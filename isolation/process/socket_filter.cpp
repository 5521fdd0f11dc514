// SPDX-License-Identifier: Apache-2.0
// This filter runs before the filter of all calls. The host supplies each socket already connected,
// so no other address can be reached through it.
#include "process/confinement.hpp"

#include "ground/descriptor.hpp"
#include "process/filter_program.hpp"

#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>

namespace skillhost::process {
namespace {

// Type argument of socket(2) without SOCK_CLOEXEC and SOCK_NONBLOCK.
constexpr std::uint32_t typeMask = 0xF;
constexpr int ringSetup = 425; // io_uring_setup, newer than some headers

constexpr std::uint32_t denied = SECCOMP_RET_ERRNO | EACCES;

void answerCall(FilterProgram &program, long number, std::uint32_t what) {
  program.unlessEqual(static_cast<std::uint32_t>(number), 1);
  program.answer(what);
}

// Refuses the call `number` if the argument has one of `bits`, otherwise allows it.
void refuseBits(FilterProgram &program, long number, std::size_t place, std::uint32_t bits) {
  program.unlessEqual(static_cast<std::uint32_t>(number), 4);
  program.loadArgument(place);
  program.unlessAnyBit(bits, 1);
  program.answer(denied);
  program.answer(SECCOMP_RET_ALLOW);
}

// Ends a filter for socket(2): it allows TCP over IPv4 alone, because that leads to the forwarder.
FilterProgram socketFromHost() {
  FilterProgram program;
  program.loadArgument(0);
  program.unlessEqual(AF_INET, 6);
  program.loadArgument(1);
  program.keepBits(typeMask);
  program.unlessEqual(SOCK_STREAM, 3);
  program.loadArgument(2);
  program.ifEqual(0, 2);
  program.ifEqual(IPPROTO_TCP, 1);
  program.answer(denied);
  program.answer(SECCOMP_RET_USER_NOTIF);
  return program;
}

// True if the kernel can answer a call with a descriptor. Such a kernel reports that the named call
// does not exist, and not that it does not know the request.
bool givesSockets(int listener, int any) {
  seccomp_notif_addfd addition{};
  addition.flags = 2; // SECCOMP_ADDFD_FLAG_SEND
  addition.srcfd = static_cast<std::uint32_t>(any);
  return ::ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &addition) < 0 && errno == ENOENT;
}

} // namespace

ConfinementResult confineSockets(int supply) {
  const Descriptor host(supply);
  const auto refused = [](const std::string &why) {
    return ConfinementResult{false, "no supply of sockets (" + why + ")"};
  };
  if (FilterProgram::architecture == 0) return refused("not on this architecture");
  FilterProgram program;
  program.begin(denied);
  const FilterProgram ofSocket = socketFromHost();
  program.unlessEqual(SYS_socket, static_cast<std::uint8_t>(ofSocket.size()));
  program.append(ofSocket);
  answerCall(program, SYS_connect, SECCOMP_RET_USER_NOTIF);
  answerCall(program, SYS_clone, SECCOMP_RET_USER_NOTIF); // a new thread: see thread_gate.hpp
  for (const long number : {SYS_bind, SYS_listen, SYS_accept, SYS_accept4, ringSetup})
    answerCall(program, number, denied);
  // Sending can connect as well (TCP Fast Open), after a socket was disconnected.
  refuseBits(program, SYS_sendto, 3, MSG_FASTOPEN);
  refuseBits(program, SYS_sendmsg, 2, MSG_FASTOPEN);
  refuseBits(program, SYS_sendmmsg, 3, MSG_FASTOPEN);
  program.answer(SECCOMP_RET_ALLOW);
  const Descriptor listener(program.listen());
  if (!listener) return refused(std::generic_category().message(errno));
  if (!givesSockets(listener.number(), host.number())) return refused("before Linux 5.14");
  // sendmsg without these flags is not filtered. From now on the holder of the listener answers the
  // filtered calls.
  if (!sendDescriptor(host.number(), listener.number()))
    return refused("the host does not take it: " + std::generic_category().message(errno));
  ConfinementResult done{true, "sockets from the host alone"};
  done.suppliesSockets = true;
  return done;
}

} // namespace skillhost::process
