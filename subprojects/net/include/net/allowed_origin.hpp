// SPDX-License-Identifier: Apache-2.0
// Whether a request comes from where it may: against web pages that use a visitor's browser to
// reach this server (DNS rebinding, cross-site requests).
#pragma once

#include "base/http.hpp"

#include <string>
#include <vector>

namespace skillhost {

struct AllowedOrigins {
  // Names a Host field may have, without port, in lower case; empty: any. Against pages that make
  // a name of theirs point at this machine.
  std::vector<std::string> hosts;
  // Origins of web pages that may ask ("https://example.org"), in lower case, besides those whose
  // host is in `hosts`, or, where that is empty, is a number and with its port what the Host field
  // says. "*" is any.
  std::vector<std::string> origins;
};

// Empty: it may. Else why not.
std::string foreignOrigin(const HttpRequest &request, const AllowedOrigins &allowed);

} // namespace skillhost
