// SPDX-License-Identifier: Apache-2.0
// The usable keys of an issuer (a JWK set, RFC 7517).
#pragma once

#include "public_key.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::jwt {

// Immutable, so any thread may use it.
class KeySet {
public:
  static constexpr std::size_t maxBytes = std::size_t{1} << 20U;
  static constexpr std::size_t maxKeys = 100;

  // Throws std::runtime_error if the text is not a JWK set, is larger than 1 MiB, or has more than
  // 100 keys. Leaves out keys for encryption, shared secrets, private keys, weak keys and unknown
  // kinds.
  static KeySet read(std::string_view text);

  // Returns the key that a token names; nullptr if there is none, or if several match. Without an
  // id, it is the only key that fits the algorithm.
  const PublicKey *find(std::string_view id, Algorithm algorithm) const;
  std::size_t size() const noexcept { return keys_.size(); }
  std::size_t leftOut() const noexcept { return leftOut_; }

private:
  struct Named {
    std::string id;
    std::optional<Algorithm> only; // the only algorithm that the key allows
    PublicKey key;
  };

  static std::optional<Named> readKey(const Json &jwk);

  std::vector<Named> keys_;
  std::size_t leftOut_ = 0;
};

} // namespace skillhost::jwt
