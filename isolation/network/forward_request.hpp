// SPDX-License-Identifier: Apache-2.0
// What a plugin asks the forwarder for: the head of an HTTP request, read as strictly as can be.
#pragma once

#include "base/network_rule.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::network {

constexpr std::size_t largestHead = 16U << 10U;

struct ForwardRequest {
  bool tunnel = false; // CONNECT; else one request for http://
  HostName host;
  std::uint16_t port = 0;
  std::string authority;   // "api.github.com:443", "[2001:db8::1]:8080"
  std::string credentials; // the value of Proxy-Authorization; empty: none
  // Of a request that is no tunnel:
  std::string method, path;    // "GET", "/a?b"
  std::string fields;          // lines that go on to the host; neither Host nor hop-by-hop ones
  std::uint64_t bodyBytes = 0; // that follow the head

  // The head to send on; by another proxy: with the whole address and its credentials.
  std::string head(bool toProxy, const std::string &proxyCredentials) const;
};

// `head` ends with its empty line. Failure: InvalidInput says what is wrong with it, for a 400.
Result<ForwardRequest> parseForwardRequest(std::string_view head);

// Basic credentials (RFC 7617): "Basic …".
std::string basicCredentials(std::string_view userAndPassword);

} // namespace skillhost::network
