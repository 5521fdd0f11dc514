// SPDX-License-Identifier: Apache-2.0
// What whoever reads a store holds its skills to.
#pragma once

#include "ground/blake3.hpp"
#include "store/signature.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace skillhost::store {

enum class SignaturePolicy : std::uint8_t {
  Ignore,  // nobody looks at signatures
  Verify,  // a wrong one is refused
  Require, // and so is a skill without one of a trusted key, of just this version
};

struct Trust {
  std::optional<Blake3::Key> key; // checksums must be made with it; none: with no key
  SignaturePolicy signatures = SignaturePolicy::Ignore;
  std::vector<SignatureKey> keys;
};

// What `trust` says of a file of signatures, as it lies beside this version or comes with it.
// Throws StoreError (Corrupt) with the reason, which does not name the skill, when it refuses it.
SignatureVerdict judge(const Trust &trust, std::string_view signatures,
                       const SignedVersion &version);

} // namespace skillhost::store
