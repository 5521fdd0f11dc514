// SPDX-License-Identifier: Apache-2.0
// Verifies signatures with one key of an issuer. Only public_key.cpp includes OpenSSL.
#pragma once

#include "algorithm.hpp"
#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string_view>

struct evp_pkey_st;

namespace skillhost::jwt {

// Immutable, so any thread may use it.
class PublicKey {
public:
  // Reads a JSON Web Key (RFC 7517, 7518 section 6, 8037). Returns nothing if it is not a public
  // key of a known kind, an RSA key below 2,048 or above 8,192 bits, or a point that is not on its
  // curve.
  static std::optional<PublicKey> fromJwk(const Json &jwk);

  KeyKind kind() const noexcept { return kind_; }
  // Also returns false if the algorithm needs another kind of key.
  bool verifies(Algorithm algorithm, std::string_view text, std::string_view signature) const;

private:
  PublicKey(std::shared_ptr<evp_pkey_st> key, KeyKind kind) : key_(std::move(key)), kind_(kind) {}

  std::shared_ptr<evp_pkey_st> key_;
  KeyKind kind_;
};

} // namespace skillhost::jwt
