// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include "openid/settings.hpp"

namespace skillhost::oauth {
namespace {

constexpr std::size_t maxAnswerBytes = std::size_t{256} * 1024;

[[noreturn]] void refuse(const std::string &why) { throw skh::Error(SKH_INVALID, why); }

} // namespace

Settings::Settings(const skh::Config &config, const skh::Host &host)
    : form(config.has("tokeninfo_url") ? Form::TokenInfo : Form::Introspection),
      issuer(openid::urlSetting(config, "issuer")),
      endpoint(openid::urlSetting(config,
                                  form == Form::TokenInfo ? "tokeninfo_url" : "introspection_url")),
      clientId(config.text("client_id", "")), clientSecret(config.text("client_secret", "")),
      claims(openid::claimSettings(config)), principal(openid::principalSettings(config)),
      client(openid::clientSettings(config, host)), description(openid::resourceMetadata(config)) {
  client.maxBytes = maxAnswerBytes;
  const std::string how = config.text("client_auth", "client_secret_basic");
  if (how == "client_secret_post")
    clientAuth = ClientAuth::SecretPost;
  else if (how != "client_secret_basic")
    refuse("client_auth: must be client_secret_basic or client_secret_post");
  if (config.has("tokeninfo_url") && config.has("introspection_url"))
    refuse("tokeninfo_url: there is introspection_url too, and only one can be meant");
  if (issuer.empty() && endpoint.empty())
    refuse("issuer: is required, unless introspection_url or tokeninfo_url is there");
  if (form == Form::Introspection && (clientId.empty() || clientSecret.empty()))
    refuse("client_id, client_secret: both are required, providers tell strangers nothing");
  // A provider that is asked directly need not repeat its name or the token's expiry.
  claims.issuerRequired = false;
  claims.expiryRequired = false;
  if (form == Form::TokenInfo && !clientId.empty()) claims.audiences.push_back(clientId);
  // Some providers state neither subject nor audience of a valid token. An operator who does not
  // require an audience trusts the provider's answer to this client.
  if (form == Form::Introspection && !claims.audienceRequired) principal.nobody = clientId;
  if (principal.issuer.empty()) principal.issuer = endpoint;
}

} // namespace skillhost::oauth
