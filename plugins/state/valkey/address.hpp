// SPDX-License-Identifier: Apache-2.0
// The address of an engine: a host and a port, or a socket of this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::valkey {

struct Address {
  static constexpr std::uint16_t usualPort = 6'379, usualSentinelPort = 26'379;

  std::string host; // a name, or an address without brackets; a path if `port` is 0
  std::uint16_t port = 0;

  bool isPath() const noexcept { return port == 0; }
  // Returns the usual form: host:port, [address]:port, or the path.
  std::string text() const;
  friend bool operator==(const Address &, const Address &) = default;
  friend auto operator<=>(const Address &, const Address &) = default;
};

// Reads `host`, `host:port`, `[address]:port`, an absolute path, or a path after `unix:`. Returns
// nothing for any other text.
std::optional<Address> readAddress(std::string_view text, std::uint16_t fallbackPort);

} // namespace skillhost::valkey
