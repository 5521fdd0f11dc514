// SPDX-License-Identifier: Apache-2.0
// Which hosts the operator lets a plugin reach: `network` of its configuration.
#pragma once

#include "ground/public_address.hpp"
#include "ground/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// A host as it is compared: a name in lower case without the dot of the root, or an address.
struct HostName {
  std::string text; // "api.github.com", "192.0.2.1", "2001:db8::1"
  std::optional<AddressBytes> address;

  // Nothing when it is neither a name of letters, digits, `-`, `_` and `.`, nor an address: what
  // a resolver would take for an address in another spelling (127.1, 0x7f000001) is none. IPv6 with
  // its brackets. Other letters have to come as punycode (xn--…).
  static std::optional<HostName> of(std::string_view text);
};

// One entry of the list: "api.github.com", "*.example.org:8443", "192.0.2.1", "[2001:db8::1]:8080",
// "10.0.0.0/8", "10.0.0.0/8:8080", "[fd00::]/8:8080".
struct HostPattern {
  std::string text;       // as written, in lower case
  std::string name;       // the host, or what hosts end in: ".example.org"; empty: a network
  AddressBytes network{}; // an address is a network of one
  unsigned bits = 0;      // of `network` that count
  std::uint16_t port = 0; // 0: 80 and 443

  static Result<HostPattern> parse(std::string_view text);
  bool names(const HostName &host, std::uint16_t asked) const;
  bool holds(const AddressBytes &address, std::uint16_t asked) const;
};

struct NetworkRule {
  // Auto: what the plugin says it needs.
  enum class Mode : std::uint8_t { Auto, None, Hosts } mode = Mode::Auto;
  std::vector<HostPattern> hosts; // for Hosts

  bool names(const HostName &host, std::uint16_t port) const;
  // May be connected to for a host that is named: it is public, or could be asked for itself.
  bool reaches(const AddressBytes &address, std::uint16_t port) const;
  std::string text() const; // "auto", "none", "api.github.com, *.example.org:8443"
};

} // namespace skillhost
