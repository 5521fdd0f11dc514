// SPDX-License-Identifier: Apache-2.0
// An issuer that makes keys, publishes them, and signs any token.
#pragma once

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace auth_test {

class Signer {
public:
  // `algorithm` is the signature algorithm: "RS256" to "EdDSA". Throws std::runtime_error.
  explicit Signer(std::string algorithm, std::string keyId = "k1", unsigned rsaBits = 2'048);

  // Returns the public key with kid, alg and use.
  nlohmann::json jwk() const;
  std::string jwks() const;
  // Returns a signature in the form of RFC 7518.
  std::string signature(std::string_view text) const;
  // Returns a signed token with any header and payload.
  std::string sign(const std::string &header, const std::string &payload) const;
  // Returns a token with the right header. `changes` are merged into valid claims (null removes
  // one), and `headerChanges` into the header.
  std::string token(const nlohmann::json &changes = nlohmann::json::object(),
                    const nlohmann::json &headerChanges = nlohmann::json::object()) const;

private:
  std::string algorithm_, keyId_;
  std::shared_ptr<evp_pkey_st> key_;
};

constexpr const char *issuer = "https://id.example.org";
constexpr const char *resource = "https://skills.example.org/mcp";

} // namespace auth_test
