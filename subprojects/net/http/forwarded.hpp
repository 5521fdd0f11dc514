// SPDX-License-Identifier: Apache-2.0
// Finds the origin of a request that proxies forward: X-Forwarded-For, and Forwarded (RFC 7239).
#pragma once

#include "base/http.hpp"
#include "net/http_settings.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace skillhost::http {

struct ForwardedClient {
  std::string
      peer{}; // for HttpRequest::peer, with port 0 if unknown; empty: the peer of the connection
  std::string address{};      // key of the limit per client, see networkOf()
  std::string_view refusal{}; // not empty: the reason for refusing the request with 400
  std::string warning{};      // for the operator; empty: none
};

// Finds the client of a request that a trusted proxy sent. It reads the hops from right to left,
// and takes the first address that is no trusted proxy's, or else the leftmost. At an entry that is
// no address, it stops with the entry to the right of it.
ForwardedClient forwardedClient(const HttpRequest &request, const TrustedProxies &trusted,
                                ForwardedField field);

} // namespace skillhost::http
