// SPDX-License-Identifier: Apache-2.0
// The keys of an issuer (a JWK set, RFC 7517), the usable ones.
#pragma once

#include "public_key.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::jwt {

// Immutable; any thread.
class KeySet {
public:
  static constexpr std::size_t mostBytes = std::size_t{1} << 20U;
  static constexpr std::size_t mostKeys = 100;

  // Throws std::runtime_error when the text is no JWK set, larger than 1 MiB, or has more than 100
  // keys. Left out: keys for encryption, shared secrets, private keys, weak keys, unknown kinds.
  static KeySet read(std::string_view text);

  // The one key that a token means; nullptr when there is none, or several that cannot be told
  // apart. Without an id, the only key that fits the algorithm.
  const PublicKey *find(std::string_view id, Algorithm algorithm) const;
  std::size_t size() const noexcept { return keys_.size(); }
  std::size_t leftOut() const noexcept { return leftOut_; }

private:
  struct Named {
    std::string id;
    std::optional<Algorithm> only; // the key says that it is for this one
    PublicKey key;
  };

  static std::optional<Named> readKey(const Json &jwk);

  std::vector<Named> keys_;
  std::size_t leftOut_ = 0;
};

} // namespace skillhost::jwt
