// SPDX-License-Identifier: Apache-2.0
// Turns valid claims into a principal.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>
#include <skillhost/plugin.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::openid {

struct PrincipalRules {
  std::string issuer;              // used for claims that name none
  std::vector<std::string> claims; // claims to pass on
  std::int64_t cacheSeconds = 300; // upper limit
  std::int64_t leeway = 0;         // added to the expiry that the host receives
  std::string nobody;              // subject for claims without one; empty: they are refused
};

// The subject is `sub`, or else `client_id` (a client that acts for itself). Scopes come from
// `scope`, a text with blanks, and `scp`, a list or such a text. An answer may be reused until 300
// s before the token's end; without an end it may not be reused. Throws skh::Error(SKH_DENIED) if
// the token names nobody, or has a malformed scope.
skh::Principal principalOf(const Json &claims, const PrincipalRules &rules, std::int64_t now);

} // namespace skillhost::openid
