// SPDX-License-Identifier: Apache-2.0
#include "authenticator.hpp"

#include "ground/text.hpp"
#include "ground/time_reading.hpp"
#include "openid/settings.hpp"

namespace skillhost::jwt {
namespace {

constexpr std::int64_t earliest = 1'767'225'600; // 2026: no token for this server is older

TokenRules tokenSettings(const skh::Config &config) {
  TokenRules rules;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(Algorithm::EdDsa); ++i)
    rules.algorithms.push_back(static_cast<Algorithm>(i));
  if (config.has("algorithms")) {
    rules.algorithms.clear();
    for (const std::string &name : config.texts("algorithms")) {
      const auto algorithm = algorithmNamed(name);
      if (!algorithm)
        throw skh::Error(SKH_INVALID, "algorithms: \"" + name +
                                          "\" is none of RS256 to RS512, PS256 to PS512, ES256 to "
                                          "ES512, EdDSA");
      rules.algorithms.push_back(*algorithm);
    }
  }
  rules.types = {"at+jwt", "jwt"};
  if (config.has("types")) rules.types = config.texts("types");
  for (std::string &type : rules.types) type = asciiLowered(type);
  if (rules.algorithms.empty() || rules.types.empty())
    throw skh::Error(SKH_INVALID,
                     "algorithms, types: must not be empty, because no token would be accepted");
  return rules;
}

openid::PrincipalRules principalSettings(const skh::Config &config, std::int64_t leeway) {
  openid::PrincipalRules rules = openid::principalSettings(config);
  rules.leeway = leeway;
  return rules;
}

} // namespace

Authenticator::Authenticator(skh::Host host, const skh::Call & /*call*/)
    : Authenticator(skh::Config(host), host) {}

Authenticator::Authenticator(const skh::Config &config, skh::Host host)
    : host_(host), tokenRules_(tokenSettings(config)), claimRules_(openid::claimSettings(config)),
      principalRules_(principalSettings(config, claimRules_.leeway)),
      description_(openid::resourceMetadata(config)), source_(config, host) {
  if (claimRules_.issuer.empty())
    throw skh::Error(SKH_INVALID,
                     "issuer: is required: write the issuer whose tokens are accepted");
}

void Authenticator::check(const skh::Call &call) {
  if (secondsNow() < earliest)
    throw skh::Error(SKH_UNAVAILABLE, "the clock of this machine is wrong, so every token would "
                                      "look not valid yet: set the clock");
  source_.check(call);
  host_.log(SKH_INFO, "OAuth configured for provider: " + claimRules_.issuer);
}

skh::Principal Authenticator::validate(const skh::Call &call, const skh::Credential &credential) {
  call.point();
  if (credential.scheme != "bearer") throw skh::Error(SKH_DENIED, "a bearer token is required");
  const Token token = Token::read(credential.value, tokenRules_);
  auto keys = source_.keys(call);
  const PublicKey *key = keys->find(token.keyId(), token.algorithm());
  if (key == nullptr) {
    keys = source_.newer(call, keys);
    key = keys->find(token.keyId(), token.algorithm());
  }
  if (key == nullptr) throw skh::Error(SKH_DENIED, "the issuer has no such key for the token");
  if (!key->verifies(token.algorithm(), token.signedText(), token.signature()))
    throw skh::Error(SKH_DENIED, "the token's signature is wrong");
  const Json claims = token.claims();
  const std::int64_t now = secondsNow();
  openid::checkClaims(claims, claimRules_, credential.resource, now);
  return openid::principalOf(claims, principalRules_, now);
}

std::string Authenticator::describe(const skh::Call & /*call*/) { return description_; }

} // namespace skillhost::jwt
