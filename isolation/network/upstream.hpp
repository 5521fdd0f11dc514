// SPDX-License-Identifier: Apache-2.0
// The proxies of the host's own environment, by libcurl's rules: http_proxy, https_proxy,
// all_proxy, no_proxy.
#pragma once

#include "ground/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::network {

struct Upstream {
  std::string host; // name or address, without brackets
  std::uint16_t port = 0;
  std::string credentials; // the value of Proxy-Authorization; empty: none
};

// Failure: InvalidInput when it is no http:// proxy; the message does not show its password.
Result<Upstream> parseUpstream(std::string_view url);

class Upstreams {
public:
  // Failure: one of them cannot be used; the message names the variable.
  static Result<Upstreams> ofEnvironment();
  // For a tunnel, or for a request for http://; none: `host` is asked itself.
  const std::optional<Upstream> &choose(const std::string &host, bool tunnel) const;

private:
  std::optional<Upstream> http_, https_, none_;
  std::string exempt_;
};

} // namespace skillhost::network
