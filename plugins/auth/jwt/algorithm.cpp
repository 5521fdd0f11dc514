// SPDX-License-Identifier: Apache-2.0
#include "algorithm.hpp"

#include <array>
#include <cstddef>

namespace skillhost::jwt {

std::optional<Algorithm> algorithmNamed(std::string_view name) {
  constexpr std::array<std::string_view, 10> names{"RS256", "RS384", "RS512", "PS256", "PS384",
                                                   "PS512", "ES256", "ES384", "ES512", "EdDSA"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names.at(i) == name) return static_cast<Algorithm>(i);
  return std::nullopt;
}

KeyKind keyKindOf(Algorithm algorithm) {
  switch (algorithm) {
  case Algorithm::Es256:
    return KeyKind::P256;
  case Algorithm::Es384:
    return KeyKind::P384;
  case Algorithm::Es512:
    return KeyKind::P521;
  case Algorithm::EdDsa:
    return KeyKind::Ed25519;
  default:
    return KeyKind::Rsa;
  }
}

} // namespace skillhost::jwt
