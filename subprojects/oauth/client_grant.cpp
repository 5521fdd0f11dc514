// SPDX-License-Identifier: Apache-2.0
#include "oauth/client_grant.hpp"

#include "base/log.hpp"
#include "http_client/url.hpp"

#include <utility>

namespace skillhost {

Result<AccessToken> ClientGrant::token(const Web &web, const std::string &refused) {
  const Result<std::string> secret = settings_.secret();
  if (!secret) return secret.failure();
  log::redact(*secret);
  if (!refused.empty()) server_.reset();
  if (!server_) {
    Result<AuthorizationServer> found = provider(web);
    if (!found) return std::move(found).failure();
    server_ = *std::move(found);
  }
  Result<AccessToken> token = {
      Fault::Denied,
      "the authorization server " + server_->issuer +
          " takes no client secret (token_endpoint_auth_methods_supported): give a token with " +
          settings_.names.token};
  // Which of the two ways a client has to take is settled when it is registered.
  for (const auto &[place, isTaken] : {std::pair(SecretPlace::Header, server_->secretInHeader),
                                       std::pair(SecretPlace::Form, server_->secretInForm)}) {
    if (!isTaken) continue;
    ClientTokens tokens = request(*secret);
    const Status granted = grantToClient(web, place, tokens);
    if (granted) return accessToken(tokens);
    token = granted.failure();
    if (!tokens.clientId.empty()) break; // the other way would not help
  }
  server_.reset(); // its documents may have changed
  return token;
}

Result<AuthorizationServer> ClientGrant::provider(const Web &web) const {
  if (settings_.tokenEndpoint.empty())
    return discover(web, settings_.url, settings_.names, settings_.issuer);
  AuthorizationServer server;
  server.resource = web::withoutQuery(settings_.url);
  server.issuer = web::withoutQuery(settings_.tokenEndpoint);
  server.tokenEndpoint = settings_.tokenEndpoint;
  server.secretInHeader = server.secretInForm = true;
  return server;
}

ClientTokens ClientGrant::request(const std::string &secret) const {
  ClientTokens tokens;
  tokens.resource = server_->resource;
  tokens.issuer = server_->issuer;
  tokens.tokenEndpoint = server_->tokenEndpoint;
  tokens.clientId = settings_.clientId;
  tokens.clientSecret = secret;
  tokens.scope = settings_.scope.empty() ? server_->scope : settings_.scope;
  return tokens;
}

} // namespace skillhost
