// SPDX-License-Identifier: Apache-2.0
// Keys from RFC 8032, and texts that are none.
#include "catch2.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/signing_key.hpp"
#include "signing_keys.hpp"

#include <span>
#include <string>

using namespace skillhost;

namespace {

std::string digitsOf(const std::string &bytes) {
  return hexadecimal(
      std::span(reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size()));
}

} // namespace

TEST_CASE("a key signs as RFC 8032 says") {
  const auto first = SigningKey::fromPem(keys_of_rfc_8032::firstSecret);
  const auto second = SigningKey::fromPem(keys_of_rfc_8032::secondSecret);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(digitsOf(first->sign("")) ==
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701c"
        "f9b46bd25bf5f0595bbe24655141438e7a100b");
  CHECK(digitsOf(second->sign("\x72")) ==
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0"
        "f11d8c387b2eaeb4302aeeb00d291612bb0c00");
}

TEST_CASE("the public half of a key verifies what the key signs, and nothing of another one") {
  const auto first = SigningKey::fromPem(keys_of_rfc_8032::firstSecret);
  REQUIRE(first);
  const auto open = PublicKey::fromPem(keys_of_rfc_8032::firstPublic);
  const auto other = PublicKey::fromPem(keys_of_rfc_8032::secondPublic);
  REQUIRE(open);
  REQUIRE(other);
  CHECK(first->publicKey().id() == open->id());
  CHECK(open->isEd25519());
  CHECK(open->verifies("text", first->sign("text")));
  CHECK_FALSE(open->verifies("Text", first->sign("text")));
  CHECK_FALSE(other->verifies("text", first->sign("text")));
}

TEST_CASE("no other text is a signing key") {
  const std::string &secret = keys_of_rfc_8032::firstSecret;
  CHECK_FALSE(SigningKey::fromPem(""));
  CHECK_FALSE(SigningKey::fromPem(keys_of_rfc_8032::firstPublic));
  CHECK_FALSE(SigningKey::fromPem(secret.substr(0, secret.size() / 2)));
  CHECK_FALSE(SigningKey::fromPem(secret + std::string(16'384, ' ')));
}
