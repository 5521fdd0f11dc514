// SPDX-License-Identifier: Apache-2.0
#include "socket.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

namespace skillhost::valkey {
namespace {

std::string reasonOf(int error) { return std::generic_category().message(error); }

void setOption(int socket, int level, int option, int value) noexcept {
  // Ignores errors, because the option is not essential: PING also detects a peer that is gone.
  static_cast<void>(::setsockopt(socket, level, option, &value, sizeof value));
}

void keepAlive(int socket) noexcept {
  constexpr int idleSeconds = 15, betweenSeconds = 5, tries = 3;
  setOption(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  setOption(socket, IPPROTO_TCP, TCP_KEEPIDLE, idleSeconds);
  setOption(socket, IPPROTO_TCP, TCP_KEEPINTVL, betweenSeconds);
  setOption(socket, IPPROTO_TCP, TCP_KEEPCNT, tries);
  setOption(socket, IPPROTO_TCP, TCP_NODELAY, 1);
}

using AddressList = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

AddressList lookUp(const Address &address) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo *found = nullptr;
  const int error =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (error != 0)
    throw ConnectionLost(address.text() + ": the name cannot be looked up: " +
                         (error == EAI_SYSTEM ? reasonOf(errno) : ::gai_strerror(error)));
  return {found, &::freeaddrinfo};
}

} // namespace

Socket Socket::connectTo(const void *address, std::size_t size, int family, const Address &named,
                         const Limit &limit) {
  Socket made(Descriptor(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)),
              named.text());
  if (!made.descriptor_)
    throw ConnectionLost(made.peer_ + " cannot be reached: no socket: " + reasonOf(errno));
  if (family != AF_UNIX) keepAlive(made.number());
  int error = 0;
  if (::connect(made.number(), static_cast<const sockaddr *>(address),
                static_cast<socklen_t>(size)) != 0)
    error = errno;
  if (error == EINPROGRESS || error == EINTR) {
    made.await(POLLOUT, limit);
    socklen_t length = sizeof error;
    if (::getsockopt(made.number(), SOL_SOCKET, SO_ERROR, &error, &length) != 0) error = errno;
  }
  // This also covers a local socket whose queue is full (EAGAIN).
  if (error != 0) throw ConnectionLost(made.peer_ + " cannot be reached: " + reasonOf(error));
  return made;
}

Socket Socket::connect(const Address &address, const Limit &limit) {
  if (address.isPath()) {
    sockaddr_un local{};
    local.sun_family = AF_UNIX;
    address.host.copy(static_cast<char *>(local.sun_path), sizeof local.sun_path - 1);
    return connectTo(&local, sizeof local, AF_UNIX, address, limit);
  }
  const AddressList list = lookUp(address);
  for (const addrinfo *one = list.get(); one != nullptr; one = one->ai_next) {
    try {
      return connectTo(one->ai_addr, one->ai_addrlen, one->ai_family, address, limit);
    } catch (const EngineSilent &) {
      throw; // no time is left for another address
    } catch (const ConnectionLost &) {
      if (one->ai_next == nullptr) throw;
    }
  }
  throw ConnectionLost(address.text() + ": the name has no address");
}

void Socket::await(short events, const Limit &limit) const {
  while (true) {
    pollfd awaited{descriptor_.number(), events, 0};
    const int ready = ::poll(&awaited, 1, static_cast<int>(limit.wait(peer_).count()));
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) throw ConnectionLost(peer_ + ": " + reasonOf(errno));
  }
}

void Socket::await(const Limit &limit) const { await(POLLIN, limit); }

void Socket::send(std::string_view bytes, const Limit &limit) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno == EAGAIN)
      await(POLLOUT, limit);
    else if (errno != EINTR)
      throw ConnectionLost("the connection to " + peer_ + " is lost: " + reasonOf(errno));
  }
}

std::optional<std::size_t> Socket::receive(char *into, std::size_t room) {
  while (true) {
    const ssize_t got = ::recv(descriptor_.number(), into, room, 0);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got == 0) throw ConnectionLost(peer_ + " has ended the connection");
    if (errno == EAGAIN) return std::nullopt;
    if (errno != EINTR)
      throw ConnectionLost("the connection to " + peer_ + " is lost: " + reasonOf(errno));
  }
}

bool Socket::isQuiet() const noexcept {
  char one = 0;
  return ::recv(descriptor_.number(), &one, 1, MSG_PEEK) < 0 && errno == EAGAIN;
}

} // namespace skillhost::valkey
