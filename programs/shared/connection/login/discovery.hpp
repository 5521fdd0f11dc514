// SPDX-License-Identifier: Apache-2.0
// Which authorization server gives tokens for an MCP server (RFC 9728), and what it offers (RFC
// 8414, OpenID Connect Discovery).
#pragma once

#include "login/web.hpp"

#include <string>
#include <string_view>

namespace skillhost {

struct AuthorizationServer {
  std::string resource; // the MCP server, as it names itself (RFC 8707)
  std::string issuer, authorizationEndpoint, tokenEndpoint;
  std::string registrationEndpoint, revocationEndpoint; // empty: it has none
  std::string scope;                                    // that the MCP server needs; may be empty
  bool offlineAccess = false;                           // the scope offline_access exists
  bool clientMetadata = false;                          // takes client id metadata documents
  bool namesIssuer = false;                             // its redirects carry `iss` (RFC 9207)
};

// Asks the MCP server at `url` without a token, then follows what it says. Denied: the server or
// its authorization server is not fit for it, and why.
Result<AuthorizationServer> discover(const Web &web, const std::string &url);

// A parameter of a WWW-Authenticate field (RFC 9110, section 11.6.1); empty: there is none.
std::string challengeParameter(std::string_view challenge, std::string_view name);

} // namespace skillhost
