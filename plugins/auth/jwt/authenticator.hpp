// SPDX-License-Identifier: Apache-2.0
// Accepts tokens that the issuer has signed for this server, until they expire.
#pragma once

#include "key_source.hpp"
#include "openid/claims.hpp"
#include "openid/principal.hpp"
#include "token.hpp"

#include <skillhost/config.hpp>

namespace skillhost::jwt {

// Any thread may call any method. It fails closed: without keys every call gets SKH_UNAVAILABLE.
class Authenticator final : public skh::Auth {
public:
  // Does not contact the issuer. Throws skh::Error(SKH_INVALID).
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
