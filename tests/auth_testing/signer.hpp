// SPDX-License-Identifier: Apache-2.0
// An issuer: makes keys, publishes them, and signs whatever it is told to.
#pragma once

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace auth_test {

class Signer {
public:
  // By the algorithm that it signs with: "RS256" to "EdDSA". Throws std::runtime_error.
  explicit Signer(std::string algorithm, std::string keyId = "k1", unsigned rsaBits = 2'048);

  // The public key, with kid, alg and use.
  nlohmann::json jwk() const;
  std::string jwks() const;
  // In the form of RFC 7518.
  std::string signature(std::string_view text) const;
  // A token with that header and payload, whatever they are.
  std::string sign(const std::string &header, const std::string &payload) const;
  // One with the right header, and `changes` merged into good claims (null takes one away) and into
  // the header.
  std::string token(const nlohmann::json &changes = nlohmann::json::object(),
                    const nlohmann::json &headerChanges = nlohmann::json::object()) const;

private:
  std::string algorithm_, keyId_;
  std::shared_ptr<evp_pkey_st> key_;
};

constexpr const char *issuer = "https://id.example.org";
constexpr const char *resource = "https://skills.example.org/mcp";

} // namespace auth_test
