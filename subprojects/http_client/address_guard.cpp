// SPDX-License-Identifier: Apache-2.0
#include "http_client/address_guard.hpp"

#include "ground/public_address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace skillhost::web {
bool isPrivateAddress(const sockaddr &address) noexcept {
  if (address.sa_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof four);
    return !isPublicAddress(mappedAddress(reinterpret_cast<const std::uint8_t *>(&four.sin_addr)));
  }
  if (address.sa_family != AF_INET6) return true;
  sockaddr_in6 six{};
  std::memcpy(&six, &address, sizeof six);
  AddressBytes bytes{};
  std::memcpy(bytes.data(), &six.sin6_addr, bytes.size());
  return !isPublicAddress(bytes);
}

std::string addressText(const sockaddr &address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.sa_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof four);
    ::inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
  } else if (address.sa_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &address, sizeof six);
    ::inet_ntop(AF_INET6, &six.sin6_addr, text.data(), text.size());
  }
  return text.data();
}

bool namesAddress(const std::string &host) {
  in6_addr parsed{};
  if (host == "localhost" || ::inet_pton(AF_INET, host.c_str(), &parsed) == 1) return true;
  return host.size() > 2 && host.front() == '[' && host.back() == ']' &&
         ::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &parsed) == 1;
}

} // namespace skillhost::web
