// SPDX-License-Identifier: Apache-2.0
// Claims that were found good → who is asking.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>
#include <skillhost/plugin.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::openid {

struct PrincipalRules {
  std::string issuer;              // of claims that name none
  std::vector<std::string> claims; // the ones that are passed on
  std::int64_t cacheSeconds = 300; // at most
  std::int64_t leeway = 0;         // added to the end that the host is told
  std::string nobody;              // the subject of claims that name none; empty: they are refused
};

// The subject is `sub`, or else `client_id` (a client that acts for itself). Scopes are `scope`, a
// text with blanks, and `scp`, a list or such a text. An answer may be reused until 300 s before
// the end, and without an end not at all. Throws skh::Error(SKH_DENIED) for a token of nobody.
skh::Principal principalOf(const Json &claims, const PrincipalRules &rules, std::int64_t now);

} // namespace skillhost::openid
