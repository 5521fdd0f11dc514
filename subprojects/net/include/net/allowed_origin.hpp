// SPDX-License-Identifier: Apache-2.0
// Checks the origin of a request, against web pages that use a visitor's browser to reach this
// server (DNS rebinding, cross-site requests).
#pragma once

#include "base/http.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct AllowedOrigins {
  // Names that a Host field may contain, without port, in lower case; empty: any name. The list
  // protects against pages that make a name of theirs point at this machine.
  std::vector<std::string> hosts;
  // Origins of web pages that may send requests ("https://example.org"), in lower case; "*" is any
  // origin. In addition, an origin is allowed if its host is in `hosts`. If `hosts` is empty, it is
  // allowed if its host is an IP address, and host and port equal those in the Host field.
  std::vector<std::string> origins;
};

// Returns the reason why the request is refused; empty if it is allowed.
std::string foreignOrigin(const HttpRequest &request, const AllowedOrigins &allowed);

} // namespace skillhost
