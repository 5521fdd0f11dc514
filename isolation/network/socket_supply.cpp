// SPDX-License-Identifier: Apache-2.0
#include "network/socket_supply.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

namespace skillhost::network {
namespace {

constexpr std::uint32_t installAndAnswer = 2; // SECCOMP_ADDFD_FLAG_SEND, since Linux 5.14

// A newer kernel may use larger structures than these headers.
struct Sizes {
  Sizes() {
    seccomp_notif_sizes sizes{};
    if (::syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0) return;
    question = std::max<std::size_t>(question, sizes.seccomp_notif);
    answer = std::max<std::size_t>(answer, sizes.seccomp_notif_resp);
  }
  std::size_t question = sizeof(seccomp_notif), answer = sizeof(seccomp_notif_resp);
};

void answer(int listener, std::uint64_t id, int error) {
  static const Sizes sizes;
  std::vector<char> space(sizes.answer);
  seccomp_notif_resp response{};
  response.id = id;
  response.error = -error;
  std::memcpy(space.data(), &response, sizeof response);
  ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, space.data());
}

// Returns another address that the plugin tried to connect to, only for the message. Another thread
// may change these bytes meanwhile, but the socket leads to the forwarder in any case.
std::optional<std::string> strayedTo(const seccomp_notif &question, std::uint16_t port) {
  sockaddr_in6 address{};
  const std::size_t size = std::min<std::size_t>(question.data.args[2], sizeof address);
  iovec here{&address, size};
  iovec there{reinterpret_cast<void *>(question.data.args[1]), size}; // NOLINT: the other's
  const ssize_t got = ::process_vm_readv(static_cast<pid_t>(question.pid), &here, 1, &there, 1, 0);
  if (got < static_cast<ssize_t>(sizeof(sockaddr_in))) return std::nullopt;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.sin6_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof four);
    if (four.sin_addr.s_addr == htonl(INADDR_LOOPBACK) && ntohs(four.sin_port) == port)
      return std::nullopt;
    ::inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
    return std::string(text.data()) + ":" + std::to_string(ntohs(four.sin_port));
  }
  if (address.sin6_family != AF_INET6) return "an address of another kind";
  ::inet_ntop(AF_INET6, &address.sin6_addr, text.data(), text.size());
  return "[" + std::string(text.data()) + "]:" + std::to_string(ntohs(address.sin6_port));
}

void give(int listener, const seccomp_notif &question, const Descriptor &connected) {
  const auto type = static_cast<int>(question.data.args[1]);
  if (!connected) return answer(listener, question.id, EMFILE);
  const int flags = ::fcntl(connected.number(), F_GETFL);
  ::fcntl(connected.number(), F_SETFL,
          (type & SOCK_NONBLOCK) != 0 ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
  seccomp_notif_addfd addition{};
  addition.id = question.id;
  addition.flags = installAndAnswer;
  addition.srcfd = static_cast<std::uint32_t>(connected.number());
  addition.newfd_flags = (type & SOCK_CLOEXEC) != 0 ? O_CLOEXEC : 0;
  if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &addition) < 0 && errno != ENOENT)
    answer(listener, question.id, errno == EMFILE ? EMFILE : EACCES);
}

} // namespace

bool SocketSupply::takeListener() {
  std::optional<Descriptor> listener = receiveDescriptor(channel_.number());
  if (!listener) return true;
  if (!*listener) return false;
  listener_ = *std::move(listener);
  channel_.reset();
  return true;
}

bool SocketSupply::handleEvents(std::uint16_t port, const std::function<Descriptor()> &connected,
                                const std::function<void(const std::string &)> &strayed) {
  if (!listener_) return takeListener();
  static const Sizes sizes;
  std::vector<char> space(sizes.question);
  if (::ioctl(listener_.number(), SECCOMP_IOCTL_NOTIF_RECV, space.data()) != 0)
    return errno == ENOENT || errno == EINTR || errno == EAGAIN;
  seccomp_notif question{};
  std::memcpy(&question, space.data(), sizeof question);
  if (question.data.nr == SYS_clone) {
    process::answerClone(listener_.number(), question.id, static_cast<pid_t>(question.pid),
                         threads_);
  } else if (question.data.nr == SYS_socket) {
    give(listener_.number(), question, connected());
  } else if (const auto address = strayedTo(question, port)) {
    answer(listener_.number(), question.id, EACCES);
    strayed(*address);
  } else {
    answer(listener_.number(), question.id, 0);
  }
  return true;
}

} // namespace skillhost::network
