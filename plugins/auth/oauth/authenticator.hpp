// SPDX-License-Identifier: Apache-2.0
// Accepts tokens that the provider reports as active and meant for this server.
#pragma once

#include "provider.hpp"
#include "settings.hpp"

namespace skillhost::oauth {

// Any thread may call any method. It fails closed: without an answer of the provider, calls get
// SKH_UNAVAILABLE.
class Authenticator final : public skh::Auth {
public:
  // Does not contact the provider. Throws skh::Error(SKH_INVALID).
  Authenticator(skh::Host host, const skh::Call &call);

  // Asks about an invented token, to check that the provider is there, accepts this client, and
  // refuses the token.
  void check(const skh::Call &call) override;
  skh::Principal validate(const skh::Call &call, const skh::Credential &credential) override;
  std::string describe(const skh::Call &call) override;

private:
  const skh::Host host_;
  const Settings settings_;
  Provider provider_;
};

} // namespace skillhost::oauth
