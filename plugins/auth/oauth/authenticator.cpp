// SPDX-License-Identifier: Apache-2.0
#include "authenticator.hpp"

#include "ground/time_reading.hpp"
#include "http_client/url.hpp"
#include "verdict.hpp"

namespace skillhost::oauth {

Authenticator::Authenticator(skh::Host host, const skh::Call & /*call*/)
    : host_(host), settings_(skh::Config(host), host), provider_(settings_) {}

void Authenticator::check(const skh::Call &call) {
  const Provider::Answer answer = provider_.ask(call, "skillhost-asks-whether-you-are-there");
  try {
    static_cast<void>(claimsOf(answer.response, settings_.form, answer.endpoint));
  } catch (const skh::Error &why) {
    if (why.status() != SKH_DENIED) throw;
    // The provider correctly refuses this token, because nobody has issued it.
    host_.log(SKH_INFO, "OAuth configured for provider: " +
                            (settings_.issuer.empty() ? std::string(web::originOf(answer.endpoint))
                                                      : settings_.issuer));
    return;
  }
  throw skh::Error(
      SKH_UNAVAILABLE,
      std::string(web::withoutQuery(answer.endpoint)) +
          " accepts a token that does not exist, so it cannot be trusted: check the URL");
}

skh::Principal Authenticator::validate(const skh::Call &call, const skh::Credential &credential) {
  call.point();
  if (credential.scheme != "bearer") throw skh::Error(SKH_DENIED, "a bearer token is required");
  if (!couldBeToken(credential.value))
    throw skh::Error(SKH_DENIED,
                     "the access token is empty, too long or has characters that no token has");
  const Provider::Answer answer = provider_.ask(call, credential.value);
  const Json claims = claimsOf(answer.response, settings_.form, answer.endpoint);
  const std::int64_t now = secondsNow();
  openid::checkClaims(claims, settings_.claims, credential.resource, now);
  return openid::principalOf(claims, settings_.principal, now);
}

std::string Authenticator::describe(const skh::Call & /*call*/) { return settings_.description; }

} // namespace skillhost::oauth
