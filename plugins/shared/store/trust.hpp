// SPDX-License-Identifier: Apache-2.0
// The rules by which a reader of a store accepts skills.
#pragma once

#include "ground/blake3.hpp"
#include "store/signature.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace skillhost::store {

enum class SignaturePolicy : std::uint8_t {
  Ignore,  // signatures are not checked
  Verify,  // a wrong signature is refused
  Require, // a skill also needs a signature by a trusted key for this very version
};

struct Trust {
  std::optional<Blake3::Key> key; // key with which checksums must be made; none: without a key
  SignaturePolicy signatures = SignaturePolicy::Ignore;
  std::vector<SignatureKey> keys;
};

// Judges a file of signatures that is beside this version or comes with it. If `trust` refuses it,
// throws StoreError (Corrupt) with a reason that does not name the skill.
SignatureVerdict judge(const Trust &trust, std::string_view signatures,
                       const SignedVersion &version);

} // namespace skillhost::store
