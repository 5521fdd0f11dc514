// SPDX-License-Identifier: Apache-2.0
// Checks whether the claims of a token (RFC 7519 section 4.1, RFC 7662 section 2.2) allow access to
// this server.
#pragma once

#include "ground/json.hpp"
#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::openid {

struct ClaimRules {
  std::string issuer;                 // empty: not checked
  bool issuerRequired = true;         // otherwise a token need not name one
  std::vector<std::string> audiences; // accepted in addition to the resource that the host names
  // Otherwise a token need not name one, but a wrong one is always refused.
  bool audienceRequired = true;
  bool expiryRequired = true;
  std::int64_t leeway = 60; // seconds by which clocks may differ
};

// Checks iss, aud, exp, nbf, iat and cnf. Throws skh::Error(SKH_DENIED) with a message for the log,
// which only repeats iss and aud, shortened. An issuer may differ by a slash after a host without a
// path. An audience may differ by a slash at the end, the default port, and the case of scheme and
// host.
void checkClaims(const Json &claims, const ClaimRules &rules, std::string_view resource,
                 std::int64_t now);

// Returns a time in Unix seconds. Digits in a text are accepted, because some providers send them.
// Returns nothing if the claim is missing. Throws skh::Error(SKH_DENIED) for anything else.
std::optional<std::int64_t> timeClaim(const Json &claims, const char *name);

} // namespace skillhost::openid
