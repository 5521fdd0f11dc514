// SPDX-License-Identifier: Apache-2.0
// Decides which hosts the operator lets a plugin reach: `network` of its configuration.
#pragma once

#include "ground/public_address.hpp"
#include "ground/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// A host in the form in which hosts are compared: a name in lower case without the dot of the root,
// or an address.
struct HostName {
  std::string text; // "api.github.com", "192.0.2.1", "2001:db8::1"
  std::optional<AddressBytes> address;

  // Returns nothing if the text is neither a name of letters, digits, `-`, `_` and `.`, nor an
  // address. An address in another spelling, which a resolver would accept (127.1, 0x7f000001), is
  // refused. IPv6 needs its brackets. Other letters must be written as punycode (xn--…).
  static std::optional<HostName> of(std::string_view text);
};

// One entry of the list: "api.github.com", "*.example.org:8443", "192.0.2.1", "[2001:db8::1]:8080",
// "10.0.0.0/8", "10.0.0.0/8:8080", "[fd00::]/8:8080".
struct HostPattern {
  std::string text;       // as written, in lower case
  std::string name;       // the host, or the end of hosts: ".example.org"; empty: a network
  AddressBytes network{}; // an address is a network of one
  unsigned bits = 0;      // how many of `network` count
  std::uint16_t port = 0; // 0: 80 and 443

  static Result<HostPattern> parse(std::string_view text);
  bool names(const HostName &host, std::uint16_t requested) const;
  bool holds(const AddressBytes &address, std::uint16_t requested) const;
};

struct NetworkRule {
  // Auto: any host, if the plugin says that it needs sockets.
  enum class Mode : std::uint8_t { Auto, None, Hosts } mode = Mode::Auto;
  std::vector<HostPattern> hosts; // for Hosts

  bool names(const HostName &host, std::uint16_t port) const;
  // True if an address of a named host may be connected to: it is public, or allowed by itself.
  bool reaches(const AddressBytes &address, std::uint16_t port) const;
  std::string text() const; // "auto", "none", "api.github.com, *.example.org:8443"
};

} // namespace skillhost
