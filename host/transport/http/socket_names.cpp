// SPDX-License-Identifier: Apache-2.0
#include "listening_socket.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <array>
#include <cstring>

namespace skillhost::http {
namespace {

struct Parts {
  std::string host;
  bool six = false;
  std::uint16_t port = 0;
};

Parts partsOf(const sockaddr_storage &address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  Parts parts;
  if (address.ss_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof four);
    ::inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
    parts.port = ntohs(four.sin_port);
  } else if (address.ss_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &address, sizeof six);
    parts.six = IN6_IS_ADDR_V4MAPPED(&six.sin6_addr) == 0;
    if (parts.six)
      ::inet_ntop(AF_INET6, &six.sin6_addr, text.data(), text.size());
    else // an IPv4 client of an IPv6 socket
      ::inet_ntop(AF_INET, &six.sin6_addr.s6_addr[12], text.data(), text.size());
    parts.port = ntohs(six.sin6_port);
  }
  parts.host = text.data();
  return parts;
}

} // namespace

std::string hostText(const sockaddr_storage &address) { return partsOf(address).host; }

std::string nameText(const sockaddr_storage &address) {
  const Parts parts = partsOf(address);
  const std::string host = parts.six ? "[" + parts.host + "]" : parts.host;
  return host + ":" + std::to_string(parts.port);
}

} // namespace skillhost::http
