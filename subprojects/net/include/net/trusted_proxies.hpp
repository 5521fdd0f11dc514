// SPDX-License-Identifier: Apache-2.0
// The peers that are trusted proxies. The server believes their statements about a request's
// client.
#pragma once

#include "ground/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// An IPv4 or IPv6 address. An IPv4 address equals its mapping into IPv6.
struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};

  // Parses "192.0.2.1" or "2001:db8::1", without anything around it.
  static std::optional<IpAddress> of(std::string_view text);
  static IpAddress ofFour(const std::uint8_t *four) noexcept;
  bool isFour() const noexcept;
  std::string text() const;
  // Returns "192.0.2.1:4711" or "[2001:db8::1]:4711".
  std::string withPort(std::uint16_t port) const;
  bool operator==(const IpAddress &) const = default;
};

class TrustedProxies {
public:
  TrustedProxies() = default; // trusts nobody
  // Each text is an address, a network such as 10.0.0.0/8 or 2001:db8::/32, or "unix", which means
  // every client of our unix sockets. A failure quotes the wrong text and says what to write.
  static Result<TrustedProxies> of(const std::vector<std::string> &texts);

  bool trusts(const IpAddress &address) const noexcept;
  bool trustsUnix() const noexcept { return unix_; }
  bool empty() const noexcept { return networks_.empty() && !unix_; }

private:
  struct Network {
    IpAddress address;
    std::size_t bits; // prefix length within 128 bits
  };
  std::vector<Network> networks_;
  bool unix_ = false;
};

} // namespace skillhost
