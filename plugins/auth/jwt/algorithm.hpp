// SPDX-License-Identifier: Apache-2.0
// The signature algorithms of RFC 7518 and RFC 8037 that need no shared secret. "none" and HS256
// are left out, so that no token can select them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace skillhost::jwt {

enum class Algorithm : std::uint8_t {
  Rs256,
  Rs384,
  Rs512,
  Ps256,
  Ps384,
  Ps512,
  Es256,
  Es384,
  Es512,
  EdDsa
};

// The kind of key that an algorithm needs.
enum class KeyKind : std::uint8_t { Rsa, P256, P384, P521, Ed25519 };

std::optional<Algorithm> algorithmNamed(std::string_view name);
KeyKind keyKindOf(Algorithm algorithm);

} // namespace skillhost::jwt
