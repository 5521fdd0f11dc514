// SPDX-License-Identifier: Apache-2.0
// Which peers are proxies of ours, whose word on where a request comes from is taken.
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

// Of IPv4 or IPv6; an IPv4 address and the same one mapped into IPv6 are equal.
struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};

  // "192.0.2.1" or "2001:db8::1", and nothing around it.
  static std::optional<IpAddress> of(std::string_view text);
  static IpAddress ofFour(const std::uint8_t *four) noexcept;
  bool isFour() const noexcept;
  std::string text() const;
  // "192.0.2.1:4711" or "[2001:db8::1]:4711".
  std::string withPort(std::uint16_t port) const;
  bool operator==(const IpAddress &) const = default;
};

class TrustedProxies {
public:
  TrustedProxies() = default; // nobody
  // Each an address, a network such as 10.0.0.0/8 or 2001:db8::/32, or "unix": whoever can connect
  // to a unix socket of ours. The failure quotes the one that is wrong, and says what to write.
  static Result<TrustedProxies> of(const std::vector<std::string> &texts);

  bool trusts(const IpAddress &address) const noexcept;
  bool trustsUnix() const noexcept { return unix_; }
  bool empty() const noexcept { return networks_.empty() && !unix_; }

private:
  struct Network {
    IpAddress address;
    std::size_t bits; // of the 128
  };
  std::vector<Network> networks_;
  bool unix_ = false;
};

} // namespace skillhost
