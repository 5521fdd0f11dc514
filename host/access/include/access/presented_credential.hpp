// SPDX-License-Identifier: Apache-2.0
// The credentials of an HTTP request: a token, a client certificate, and header fields that the
// auth plugin reads.
#pragma once

#include "net/bearer.hpp"
#include "plugin/auth.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct CredentialRules {
  std::vector<std::string> headers; // for the auth plugin, in lower case
  bool headersFromAnyone = false;   // otherwise only from trusted proxies
};

struct PresentedCredential {
  Bearer::State state = Bearer::State::Missing;
  std::string_view scheme{};                  // if present: "bearer", "mtls" or "none"
  std::string_view value{};                   // lives as long as the request
  std::string_view reason{};                  // if malformed or unset
  std::shared_ptr<const AuthCaller> caller{}; // null if there is only the token
};

PresentedCredential presentedCredential(const HttpRequest &request, const CredentialRules &rules);

} // namespace skillhost
