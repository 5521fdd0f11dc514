// SPDX-License-Identifier: Apache-2.0
// Parses a plugin's request to the forwarder, the head of an HTTP request, as strictly as possible.
#pragma once

#include "base/network_rule.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::network {

constexpr std::size_t maxHeadBytes = 16U << 10U;

struct ForwardRequest {
  // A CONNECT; otherwise one request for http://.
  bool tunnel = false; // CONNECT; else one request for http:
  HostName host;
  std::uint16_t port = 0;
  std::string authority;   // "api.github.com:443", "[2001:db8::1]:8080"
  std::string credentials; // value of Proxy-Authorization; empty: none
  // Only set for a request that is not a tunnel:
  std::string method, path;    // "GET", "/a?b"
  std::string fields;          // lines to forward, without Host and hop-by-hop fields
  std::uint64_t bodyBytes = 0; // size of the body after the head

  // Returns the head to send. A further proxy gets the full address and its own credentials.
  std::string head(bool toProxy, const std::string &proxyCredentials) const;
};

// `head` includes the empty line at its end. Fails with InvalidInput, which says what is wrong with
// the head, for an answer with status 400.
Result<ForwardRequest> parseForwardRequest(std::string_view head);

// Returns Basic credentials (RFC 7617): "Basic …".
std::string basicCredentials(std::string_view userAndPassword);

} // namespace skillhost::network
