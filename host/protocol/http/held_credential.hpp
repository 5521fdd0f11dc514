// SPDX-License-Identifier: Apache-2.0
// The credential of a request over HTTP, for who has to ask about it again.
#pragma once

#include "access/bearer.hpp"
#include "access/credential_watch.hpp"
#include "base/http.hpp"

#include <string>

namespace skillhost {

// A copy of its own; empty when the request has none.
inline HeldCredential credentialOf(const HttpRequest &request) {
  return {Secret(bearerOf(request).token), std::string(request.peer)};
}

} // namespace skillhost
