// SPDX-License-Identifier: Apache-2.0
#include "listening_socket.hpp"

#include <netinet/in.h>

#include <cstring>

namespace skillhost::http {

SocketName nameOf(const sockaddr_storage &address) {
  SocketName name;
  if (address.ss_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof four);
    name.ip = IpAddress::ofFour(reinterpret_cast<const std::uint8_t *>(&four.sin_addr));
    name.port = ntohs(four.sin_port);
  } else if (address.ss_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &address, sizeof six);
    // An IPv4 client of an IPv6 socket counts as IPv4.
    std::memcpy(name.ip.bytes.data(), &six.sin6_addr, name.ip.bytes.size());
    name.port = ntohs(six.sin6_port);
  }
  return name;
}

std::string nameText(const sockaddr_storage &address) {
  const SocketName name = nameOf(address);
  return name.ip.withPort(name.port);
}

} // namespace skillhost::http
