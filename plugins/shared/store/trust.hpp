// SPDX-License-Identifier: Apache-2.0
// What whoever reads a store holds its skills to.
#pragma once

#include "digest/blake3.hpp"
#include "store/signature.hpp"

#include <optional>
#include <vector>

namespace skillhost::store {

enum class SignaturePolicy : std::uint8_t {
  Ignore,  // nobody looks at signatures
  Verify,  // a wrong one is refused
  Require, // and so is a skill without one of a trusted key
};

struct Trust {
  std::optional<digest::Key> key; // checksums must be made with it; none: with no key
  SignaturePolicy signatures = SignaturePolicy::Ignore;
  std::vector<SignatureKey> keys;
};

} // namespace skillhost::store
