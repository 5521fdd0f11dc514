// SPDX-License-Identifier: Apache-2.0
#include "configuration/oauth_shorthand.hpp"

namespace skillhost::app {
namespace {

constexpr const char *defaultTokeninfo = "https://oauth2.googleapis.com/tokeninfo";

} // namespace

void expandOauth(AuthConfiguration &auth, AccessConfiguration &access) {
  if (!auth.oauthClientId || auth.plugin != "none") return;
  auth.plugin = "oauth";
  const auto say = [&](const char *name, Json value) {
    if (!auth.config.contains(name)) auth.config[name] = std::move(value);
  };
  say("client_id", *auth.oauthClientId);
  if (auth.oauthClientSecret) say("client_secret", *auth.oauthClientSecret);
  if (auth.oauthProviderUrl)
    say("issuer", *auth.oauthProviderUrl);
  else if (!auth.config.contains("issuer") && !auth.config.contains("introspection_url"))
    say("tokeninfo_url", defaultTokeninfo);
  say("audience", Json::array({*auth.oauthClientId}));
  if (!access.readScope) access.readScope = "";
}

} // namespace skillhost::app
