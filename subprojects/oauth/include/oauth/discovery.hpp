// SPDX-License-Identifier: Apache-2.0
// Finds the authorization server that gives tokens for an MCP server (RFC 9728), and its features
// (RFC 8414, OpenID Connect Discovery).
#pragma once

#include "oauth/web.hpp"

#include <string>
#include <string_view>

namespace skillhost {

struct AuthorizationServer {
  std::string resource; // the MCP server's own name for itself (RFC 8707)
  std::string issuer, authorizationEndpoint, tokenEndpoint;
  std::string registrationEndpoint, revocationEndpoint; // empty: not offered
  std::string scope;                                    // needed by the MCP server; may be empty
  bool offlineAccess = false;                           // the scope offline_access exists
  bool clientMetadata = false;                          // takes client id metadata documents
  bool secretInHeader = false;                          // takes client_secret_basic
  bool secretInForm = false;                            // takes client_secret_post
  bool pkce = false;                                    // offers PKCE with S256
  bool namesIssuer = false;                             // its redirects carry `iss` (RFC 9207)
};

// Names of settings for messages, such as "--issuer".
struct SettingNames {
  std::string issuer; // of the authorization server that may receive the secret
  std::string token;  // of a token that needs no authorization server
};

// Sends a request without a token to the MCP server at `url`, and follows its metadata. Denied: the
// server or its authorization server does not meet a requirement, which the failure names. If an
// `issuer` is given, only that authorization server is asked, and the MCP server must name it.
Result<AuthorizationServer> discover(const Web &web, const std::string &url,
                                     const SettingNames &names, const std::string &issuer = {});

// A parameter of a WWW-Authenticate field (RFC 9110, section 11.6.1); empty: there is none.
std::string challengeParameter(std::string_view challenge, std::string_view name);

} // namespace skillhost
