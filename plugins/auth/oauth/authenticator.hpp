// SPDX-License-Identifier: Apache-2.0
// Who holds a token that its provider calls active and meant for this server may come in.
#pragma once

#include "provider.hpp"
#include "settings.hpp"

namespace skillhost::oauth {

// Every method from any thread. Fails closed: what the provider does not say is SKH_UNAVAILABLE.
class Authenticator final : public skh::Auth {
public:
  // Asks nobody. Throws skh::Error(SKH_INVALID).
  Authenticator(skh::Host host, const skh::Call &call);

  // Asks about a made-up token: is the provider there, does it accept this client, does it say no?
  void check(const skh::Call &call) override;
  skh::Principal validate(const skh::Call &call, const skh::Credential &credential) override;
  std::string describe(const skh::Call &call) override;

private:
  const skh::Host host_;
  const Settings settings_;
  Provider provider_;
};

} // namespace skillhost::oauth
