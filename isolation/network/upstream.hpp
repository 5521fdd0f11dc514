// SPDX-License-Identifier: Apache-2.0
// Finds the proxies in the host's environment by libcurl's rules: http_proxy, https_proxy,
// all_proxy and no_proxy.
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
  std::string credentials; // value of Proxy-Authorization; empty: none
};

// Fails with InvalidInput if it is no http:// proxy. The message does not show the password.
Result<Upstream> parseUpstream(std::string_view url);

class Upstreams {
public:
  // Fails if one of them cannot be used. The message names the variable.
  static Result<Upstreams> ofEnvironment();
  // Chooses the proxy for a tunnel or for a request for http://; none: connect to `host` directly.
  const std::optional<Upstream> &choose(const std::string &host, bool tunnel) const;

private:
  std::optional<Upstream> http_, https_, none_;
  std::string exempt_;
};

} // namespace skillhost::network
