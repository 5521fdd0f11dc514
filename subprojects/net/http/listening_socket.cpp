// SPDX-License-Identifier: Apache-2.0
#include "listening_socket.hpp"

#include "base/log.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace skillhost::http {
namespace {

constexpr int backlog = 4096;
constexpr int firstActivated = 3; // SD_LISTEN_FDS_START

[[noreturn]] void refuse(const std::string &name, int fault) {
  std::string why = std::generic_category().message(fault);
  if (fault == EADDRINUSE) why = "the address is in use";
  if (fault == EACCES) why = "no permission";
  if (fault == EADDRNOTAVAIL) why = "this machine has no such address";
  throw std::runtime_error("cannot listen to " + name + ": " + why);
}

sockaddr_storage boundAddress(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr *>(&address), &size);
  return address;
}

bool loopback(const sockaddr_storage &address) {
  const std::string host = nameOf(address).ip.text();
  return host.starts_with("127.") || host == "::1";
}

ListeningSocket open(const addrinfo &found, const std::string &asked) {
  Descriptor socket(::socket(found.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) refuse(asked, errno);
  const int on = 1;
  ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // This socket serves IPv6 alone; IPv4 has its own address.
  if (found.ai_family == AF_INET6)
    ::setsockopt(socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (::bind(socket.number(), found.ai_addr, found.ai_addrlen) != 0) refuse(asked, errno);
  const sockaddr_storage bound = boundAddress(socket.number());
  return {std::move(socket), nameText(bound), loopback(bound)};
}

sockaddr_un unixAddress(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    throw std::runtime_error("cannot listen to unix:" + path + ": the path has more than " +
                             std::to_string(sizeof address.sun_path - 1) + " bytes");
  path.copy(address.sun_path, path.size());
  return address;
}

// Removes a socket's file if nobody listens on it any more.
void removeStale(const std::string &path, const sockaddr_un &address) {
  struct stat info{};
  if (::lstat(path.c_str(), &info) != 0) return;
  if (!S_ISSOCK(info.st_mode))
    throw std::runtime_error("cannot listen to unix:" + path + ": there is a file of that name");
  const Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!probe) refuse("unix:" + path, errno);
  const int failed =
      ::connect(probe.number(), reinterpret_cast<const sockaddr *>(&address), sizeof address);
  if (failed == 0 || errno != ECONNREFUSED) refuse("unix:" + path, EADDRINUSE);
  ::unlink(path.c_str());
}

} // namespace

std::vector<ListeningSocket> bindTcp(const HttpAddress &address) {
  const std::string port = std::to_string(address.port);
  const std::string asked =
      (address.host.find(':') == std::string::npos ? address.host : "[" + address.host + "]") +
      ":" + port;
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo *first = nullptr;
  const int failed = ::getaddrinfo(address.host.c_str(), port.c_str(), &wanted, &first);
  if (failed != 0)
    throw std::runtime_error("cannot listen to " + asked + ": " + ::gai_strerror(failed));
  const std::unique_ptr<addrinfo, void (*)(addrinfo *)> list(first, ::freeaddrinfo);
  std::vector<ListeningSocket> sockets;
  for (const addrinfo *found = first; found != nullptr; found = found->ai_next)
    sockets.push_back(open(*found, asked));
  return sockets;
}

void beginListening(const ListeningSocket &socket) {
  int listens = 0;
  socklen_t size = sizeof listens;
  const int number = socket.socket.number();
  if (::getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0) return;
  if (::listen(number, backlog) != 0) refuse(socket.name, errno);
}

ListeningSocket listenUnix(const HttpAddress &address) {
  const std::string name = "unix:" + address.path;
  const sockaddr_un bound = unixAddress(address.path);
  removeStale(address.path, bound);
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) refuse(name, errno);
  // Nobody else may connect before the file has its mode. The mask belongs to the whole process, so
  // this may only run while starting.
  const mode_t before = ::umask(0177);
  const int failed =
      ::bind(socket.number(), reinterpret_cast<const sockaddr *>(&bound), sizeof bound);
  const int fault = errno;
  ::umask(before);
  if (failed != 0) refuse(name, fault);
  if (::chmod(address.path.c_str(), static_cast<mode_t>(address.mode)) != 0) refuse(name, errno);
  if (::listen(socket.number(), backlog) != 0) refuse(name, errno);
  return {std::move(socket), name, true, true, false, address.path};
}

std::vector<ListeningSocket> listenActivated() {
  const auto number = [](const char *name) {
    const char *const text = std::getenv(name);
    const std::string_view value = text == nullptr ? "" : text;
    int result = 0;
    std::from_chars(value.data(), value.data() + value.size(), result);
    return result;
  };
  const int count = number("LISTEN_PID") == ::getpid() ? number("LISTEN_FDS") : 0;
  for (const char *name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(name);
  std::vector<ListeningSocket> sockets;
  for (int i = firstActivated; i < firstActivated + count; ++i) {
    Descriptor socket(i);
    int listens = 0;
    socklen_t size = sizeof listens;
    const std::string name = "descriptor " + std::to_string(i) + " of the socket activation";
    if (::getsockopt(i, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0)
      throw std::runtime_error(name + " is no socket that listens");
    ::fcntl(i, F_SETFD, FD_CLOEXEC);
    ::fcntl(i, F_SETFL, ::fcntl(i, F_GETFL) | O_NONBLOCK);
    const sockaddr_storage bound = boundAddress(i);
    if (bound.ss_family == AF_UNIX) {
      sockaddr_un path{};
      std::memcpy(&path, &bound, sizeof path);
      sockets.push_back({std::move(socket), std::string("unix:") + path.sun_path, true, true});
    } else {
      sockets.push_back({std::move(socket), nameText(bound), loopback(bound)});
    }
  }
  return sockets;
}

} // namespace skillhost::http
