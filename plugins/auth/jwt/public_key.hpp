// SPDX-License-Identifier: Apache-2.0
// One key of an issuer, and whether it has signed something. public_key.cpp is the only source that
// includes OpenSSL.
#pragma once

#include "algorithm.hpp"
#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string_view>

struct evp_pkey_st;

namespace skillhost::jwt {

// Immutable; any thread.
class PublicKey {
public:
  // From a JSON Web Key (RFC 7517, 7518 section 6, 8037). Nothing for what is no public key of a
  // kind we know, RSA below 2,048 or above 8,192 bits, a point that is not on its curve.
  static std::optional<PublicKey> fromJwk(const Json &jwk);

  KeyKind kind() const noexcept { return kind_; }
  // False for an algorithm of another kind of key, too.
  bool verifies(Algorithm algorithm, std::string_view text, std::string_view signature) const;

private:
  PublicKey(std::shared_ptr<evp_pkey_st> key, KeyKind kind) : key_(std::move(key)), kind_(kind) {}

  std::shared_ptr<evp_pkey_st> key_;
  KeyKind kind_;
};

} // namespace skillhost::jwt
