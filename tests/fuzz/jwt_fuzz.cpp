// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a token: it is refused with SKH_DENIED, or was signed by the only key, which
// nobody has.
#include "jwt/key_set.hpp"
#include "jwt/token.hpp"
#include "openid/claims.hpp"
#include "openid/principal.hpp"

#include <skillhost/plugin.hpp>

#include <cstdint>
#include <cstdlib>

namespace {

using namespace skillhost;

const jwt::KeySet &keys() {
  // These are the examples of RFC 8037, appendix A.2, and of RFC 7517, appendix A.1, without `use`.
  static const jwt::KeySet set = jwt::KeySet::read(
      R"({"keys":[{"kty":"OKP","crv":"Ed25519","kid":"e","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"},)"
      R"({"kty":"EC","crv":"P-256","kid":"c","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",)"
      R"("y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]})");
  if (set.size() != 2) std::abort();
  return set;
}

void require(bool holds) {
  if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string text(data, data + size);
  jwt::TokenRules rules{{}, {"at+jwt", "jwt"}};
  for (std::size_t i = 0; i <= static_cast<std::size_t>(jwt::Algorithm::EdDsa); ++i)
    rules.algorithms.push_back(static_cast<jwt::Algorithm>(i));
  try {
    const jwt::Token token = jwt::Token::read(text, rules);
    const jwt::PublicKey *key = keys().find(token.keyId(), token.algorithm());
    if (key != nullptr)
      require(!key->verifies(token.algorithm(), token.signedText(), token.signature()));
    // The next steps would see only claims that an issuer has signed; they must withstand any input
    // all the same.
    const nlohmann::json claims = token.claims();
    openid::checkClaims(claims, {}, "https://skills.example.org/mcp", 1'800'000'000);
    const skh::Principal who = openid::principalOf(claims, {}, 1'800'000'000);
    require(!who.subject.empty() && who.cache_seconds <= 300);
  } catch (const skh::Error &why) {
    require(why.status() == SKH_DENIED);
  }
  return 0;
}
