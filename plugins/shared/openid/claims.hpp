// SPDX-License-Identifier: Apache-2.0
// Whether what is said of a token (RFC 7519 section 4.1, RFC 7662 section 2.2) lets it in here.
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
  std::string issuer;                 // empty: not looked at
  bool issuerRequired = true;         // else a token may name none
  std::vector<std::string> audiences; // accepted besides the resource that the host names
  bool audienceRequired = true;       // else a token may name none; a wrong one is refused always
  bool expiryRequired = true;
  std::int64_t leeway = 60; // seconds that clocks may be apart
};

// Checks iss, aud, exp, nbf, iat and cnf. Throws skh::Error(SKH_DENIED), whose message is for the
// log: of the claims it repeats iss and aud alone, shortened. An issuer may differ by the slash
// behind a host without a path, an audience by a slash at the end, the default port, and the case
// of scheme and host.
void checkClaims(const Json &claims, const ClaimRules &rules, std::string_view resource,
                 std::int64_t now);

// A time in Unix seconds; also as digits in a text, as some providers write it. Nothing when the
// claim is not there. Throws skh::Error(SKH_DENIED) for anything else.
std::optional<std::int64_t> timeClaim(const Json &claims, const char *name);

} // namespace skillhost::openid
