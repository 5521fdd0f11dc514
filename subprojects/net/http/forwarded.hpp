// SPDX-License-Identifier: Apache-2.0
// Where a request comes from, when it comes through proxies that say so: X-Forwarded-For, and
// Forwarded (RFC 7239).
#pragma once

#include "base/http.hpp"
#include "net/http_settings.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace skillhost::http {

struct ForwardedClient {
  std::string
      peer{}; // as HttpRequest has it, port 0 where it is not said; empty: who has connected
  std::string address{};      // what a limit per client counts: see networkOf()
  std::string_view refusal{}; // not empty: the request is to be refused with 400, and this is why
  std::string warning{};      // for the operator; empty: none
};

// Of a request that a trusted proxy has sent. From the right to the left: the first address that is
// no trusted proxy's, or the leftmost. At an entry that is no address it ends with the one before.
ForwardedClient forwardedClient(const HttpRequest &request, const TrustedProxies &trusted,
                                ForwardedField field);

} // namespace skillhost::http
