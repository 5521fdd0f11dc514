// SPDX-License-Identifier: Apache-2.0
#include "address_guard.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace skillhost::remote {
namespace {

struct Range {
  std::uint32_t first;
  unsigned bits;
};

// RFC 6890 and its successors.
constexpr std::array<Range, 14> closed{{{0x00000000, 8},
                                        {0x0A000000, 8},
                                        {0x64400000, 10},
                                        {0x7F000000, 8},
                                        {0xA9FE0000, 16},
                                        {0xAC100000, 12},
                                        {0xC0000000, 24},
                                        {0xC0000200, 24},
                                        {0xC0A80000, 16},
                                        {0xC6120000, 15},
                                        {0xC6336400, 24},
                                        {0xCB007100, 24},
                                        {0xE0000000, 4},
                                        {0xF0000000, 4}}};

bool isClosed(std::uint32_t address) {
  return std::any_of(closed.begin(), closed.end(), [&](const Range &range) {
    return address >> (32 - range.bits) == range.first >> (32 - range.bits);
  });
}

std::uint32_t number(const std::uint8_t *bytes) {
  return (std::uint32_t{bytes[0]} << 24U) | (std::uint32_t{bytes[1]} << 16U) |
         (std::uint32_t{bytes[2]} << 8U) | bytes[3];
}

bool isClosed(const std::array<std::uint8_t, 16> &address) {
  const auto startsWith = [&](std::initializer_list<std::uint8_t> start) {
    return std::equal(start.begin(), start.end(), address.begin());
  };
  if (startsWith({0x00, 0x64, 0xFF, 0x9B})) return isClosed(number(&address[12])); // NAT64
  if (startsWith({0x20, 0x02})) return isClosed(number(&address[2]));              // 6to4
  const bool mapped = std::all_of(address.begin(), address.begin() + 10,
                                  [](std::uint8_t byte) { return byte == 0; });
  if (mapped && address[10] == 0xFF && address[11] == 0xFF) return isClosed(number(&address[12]));
  // Only 2000::/3 is given out to the world; 2001:db8::/32 is for documents.
  return (address[0] & 0xE0U) != 0x20U || startsWith({0x20, 0x01, 0x0D, 0xB8});
}

} // namespace

bool isPrivateAddress(const sockaddr &address) noexcept {
  if (address.sa_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof four);
    return isClosed(ntohl(four.sin_addr.s_addr));
  }
  if (address.sa_family != AF_INET6) return true;
  sockaddr_in6 six{};
  std::memcpy(&six, &address, sizeof six);
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &six.sin6_addr, bytes.size());
  return isClosed(bytes);
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

} // namespace skillhost::remote
