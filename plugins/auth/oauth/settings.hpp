// SPDX-License-Identifier: Apache-2.0
// The configuration of an instance, checked and complete. Immutable after construction.
#pragma once

#include "http/client.hpp"
#include "openid/claims.hpp"
#include "openid/principal.hpp"

#include <skillhost/config.hpp>

#include <string>

namespace skillhost::oauth {

enum class Form { Introspection, TokenInfo };      // RFC 7662, or Google's form
enum class ClientAuth { SecretBasic, SecretPost }; // RFC 6749 section 2.3.1

struct Settings {
  // Throws skh::Error(SKH_INVALID) naming the wrong or missing key. Never shows the secret.
  Settings(const skh::Config &config, const skh::Host &host);

  Form form;
  std::string issuer;
  std::string endpoint; // empty: it must be discovered
  std::string clientId, clientSecret;
  ClientAuth clientAuth = ClientAuth::SecretBasic;
  openid::ClaimRules claims;
  openid::PrincipalRules principal;
  http::Options client;
  std::string description; // answer of describe()
};

} // namespace skillhost::oauth
