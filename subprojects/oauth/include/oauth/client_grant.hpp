// SPDX-License-Identifier: Apache-2.0
// Tokens for a program that signs in as itself, without a person: OAuth 2.0 client credentials (RFC
// 6749, section 4.4) at the authorization server that the MCP server names (RFC 9728, RFC 8414).
#pragma once

#include "ground/result.hpp"
#include "oauth/discovery.hpp"
#include "oauth/token_request.hpp"

#include <functional>
#include <optional>
#include <string>

namespace skillhost {

struct GrantSettings {
  std::string url;   // of the MCP server
  std::string scope; // separated by spaces; empty: the scope that the server names
  std::string clientId;
  // The authorization server that receives the secret. The MCP server must name it, and cannot
  // choose another. Empty if the token endpoint is given.
  std::string issuer;
  std::string tokenEndpoint; // empty: the authorization server names it
  SettingNames names;
  // Reads the secret for each token, because it may change. A failure does not contain it.
  std::function<Result<std::string>()> secret;
};

// Used by one thread at a time.
class ClientGrant {
public:
  explicit ClientGrant(GrantSettings settings) : settings_(std::move(settings)) {}

  // Gets a new token. If the MCP server has `refused` the last one, the provider is looked for
  // again, because the server may have another now. Failures are Denied (the provider refuses, or
  // there is no secret), Unavailable (try again) or those of `web`, and contain neither the secret
  // nor a token. Passes through what `web` throws.
  Result<AccessToken> token(const Web &web, const std::string &refused);

private:
  Result<AuthorizationServer> provider(const Web &web) const;
  ClientTokens request(const std::string &secret) const;

  const GrantSettings settings_;
  std::optional<AuthorizationServer> server_; // as it was found last
};

} // namespace skillhost
