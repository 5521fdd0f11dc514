// SPDX-License-Identifier: Apache-2.0
// Keys and signatures made by OpenSSL's command line, and texts that are none.
#include "catch2.hpp"
#include "ground/base64.hpp"
#include "ground/public_key.hpp"

#include <string>

using skillhost::decodeBase64;
using skillhost::PublicKey;

namespace {

const std::string onP256 = "-----BEGIN PUBLIC KEY-----\n"
                           "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAExtA+LWCI1ZNKEOl9Z1afV0QiYHAf\n"
                           "UzYBXQv/JF5OtMXacgp6ewxezz/oDhUVzdXc6iN08Uob6QSzYX33uD1eOg==\n"
                           "-----END PUBLIC KEY-----\n";
const std::string onEd25519 = "-----BEGIN PUBLIC KEY-----\n"
                              "MCowBQYDK2VwAyEAij+qXk/y8OXlUrXNiqXAjYFyMWzBxTPCKa3+7zB2APs=\n"
                              "-----END PUBLIC KEY-----\n";
const std::string onP384 = "-----BEGIN PUBLIC KEY-----\n"
                           "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEXKKtu/Xzzu7+Z1uyvabvqS72rpcmDTuX\n"
                           "OIbaz5tYmOoSGnXzrxRiOUCYlsmvphTlzH0fF49c9RgITD5fSYyPypNKpyXjDjJG\n"
                           "io9oj+UTlk6NVXJ2nQQJzDJvd/c/B5D9\n"
                           "-----END PUBLIC KEY-----\n";
const std::string text = "What was signed.";
const std::string byP256 =
    *decodeBase64("MEQCIBN1koRfwMwvSRS30sJAKqrIU5ti1lLOLKNoWl9i+H3MAiBRd+AbaL4Yw3xG"
                  "YfvvsRRGZLgG7Nr58HLrllSoFs7UKA==");
const std::string byEd25519 =
    *decodeBase64("xTiCTynE4mrrfZW+EPtz+4etdmA+bPNSFidJYhXL7zrVQp8Nyr2L1QiMZTFluxS7"
                  "PzeRLY1ZucnUh0rSSAVNDA==");

bool signsText(const std::string &key, const std::string &signature,
               const std::string &what = text) {
  const auto read = PublicKey::fromPem(key);
  REQUIRE(read);
  return read->verifies(what, signature);
}

} // namespace

TEST_CASE("a signature is that of its key and of its text alone") {
  CHECK(signsText(onP256, byP256));
  CHECK(signsText(onEd25519, byEd25519));
  CHECK_FALSE(signsText(onP256, byEd25519));
  CHECK_FALSE(signsText(onEd25519, byP256));
  for (const auto &[key, signature] :
       {std::pair(onP256, byP256), std::pair(onEd25519, byEd25519)}) {
    CHECK_FALSE(signsText(key, signature, text + " "));
    CHECK_FALSE(signsText(key, signature, ""));
    CHECK_FALSE(signsText(key, ""));
    CHECK_FALSE(signsText(key, signature + "x"));
    CHECK_FALSE(signsText(key, signature.substr(1)));
    for (std::size_t i = 0; i < signature.size(); ++i) {
      std::string wrong = signature;
      wrong[i] = static_cast<char>(wrong[i] ^ 1);
      INFO(i);
      CHECK_FALSE(signsText(key, wrong));
    }
  }
}

TEST_CASE("a key has the digest of its public half as its id") {
  CHECK(PublicKey::fromPem(onP256)->id() ==
        "9cf071af6c26e4979c9eb2a9291d0ce3b09f8b2afdde9b6943d984fefbe8db71");
  CHECK(PublicKey::fromPem("a comment\n" + onP256 + onEd25519)->id() ==
        PublicKey::fromPem(onP256)->id());
}

TEST_CASE("another kind of key, half a key, and what is none are refused") {
  CHECK_FALSE(PublicKey::fromPem(onP384));
  CHECK_FALSE(PublicKey::fromPem(""));
  CHECK_FALSE(PublicKey::fromPem("-----BEGIN PUBLIC KEY-----\n"));
  CHECK_FALSE(PublicKey::fromPem(onP256.substr(0, onP256.size() / 2)));
  CHECK_FALSE(PublicKey::fromPem(onP256 + std::string(16'384, ' ')));
  std::string secret = onP256;
  for (std::size_t at = 0; (at = secret.find("PUBLIC", at)) != std::string::npos;)
    secret.replace(at, 6, "PRIVATE");
  CHECK_FALSE(PublicKey::fromPem(secret));
}
