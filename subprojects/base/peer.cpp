// SPDX-License-Identifier: Apache-2.0
#include "base/http.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

namespace skillhost {

std::string networkOf(std::string_view peer) {
  std::string address(addressOf(peer));
  if (!address.starts_with('[') || !address.ends_with(']')) return address;
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  const std::string inner = address.substr(1, address.size() - 2);
  if (inner.find('\0') != std::string::npos ||
      ::inet_pton(AF_INET6, inner.c_str(), bytes.data()) != 1)
    return address;
  if (std::all_of(bytes.begin(), bytes.end() - 1, [](unsigned char c) { return c == 0; }))
    return address; // an address of this machine
  std::fill(bytes.begin() + bytes.size() / 2, bytes.end(), 0);
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET6, bytes.data(), text.data(), text.size());
  return std::string(text.data()) + "/64";
}

} // namespace skillhost
