// SPDX-License-Identifier: Apache-2.0
// Who holds a token that the issuer has signed for this server may come in, until it expires.
#pragma once

#include "key_source.hpp"
#include "openid/claims.hpp"
#include "openid/principal.hpp"
#include "token.hpp"

#include <skillhost/config.hpp>

namespace skillhost::jwt {

// Every method from any thread. Fails closed: without keys everybody gets SKH_UNAVAILABLE.
class Authenticator final : public skh::Auth {
public:
  // Asks nobody. Throws skh::Error(SKH_INVALID).
  Authenticator(skh::Host host, const skh::Call &call);

  void check(const skh::Call &call) override;
  skh::Principal validate(const skh::Call &call, const skh::Credential &credential) override;
  std::string describe(const skh::Call &call) override;

private:
  Authenticator(const skh::Config &config, skh::Host host);

  const skh::Host host_;
  const TokenRules tokenRules_;
  const openid::ClaimRules claimRules_;
  const openid::PrincipalRules principalRules_;
  const std::string description_;
  KeySource source_;
};

} // namespace skillhost::jwt
