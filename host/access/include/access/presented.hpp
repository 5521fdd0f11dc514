// SPDX-License-Identifier: Apache-2.0
// What an HTTP request shows of who sends it: a token, a client certificate, header fields that the
// auth plugin wants to see.
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
  bool headersFromAnyone = false;   // else from trusted proxies alone
};

struct Presented {
  Bearer::State state = Bearer::State::Missing;
  std::string_view scheme{};                  // when present: "bearer", "mtls" or "none"
  std::string_view value{};                   // lives as long as the request
  std::string_view reason{};                  // when malformed
  std::shared_ptr<const AuthCaller> caller{}; // null: there is nothing but the token
};

Presented presentedBy(const HttpRequest &request, const CredentialRules &rules);

} // namespace skillhost
