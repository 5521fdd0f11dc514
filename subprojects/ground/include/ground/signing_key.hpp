// SPDX-License-Identifier: Apache-2.0
// A secret Ed25519 key (RFC 8032) in PEM by OpenSSL, and its signatures.
#pragma once

#include "ground/public_key.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// Immutable, so it may be used on any thread.
class SigningKey {
public:
  // Reads the first key of a text of at most 16 KiB, PKCS#8 without a pass phrase. Returns nothing
  // for another kind of key, or a text that is not PEM.
  static std::optional<SigningKey> fromPem(std::string_view text);

  const PublicKey &publicKey() const noexcept { return public_; }
  // Returns 64 bytes; empty if OpenSSL fails.
  std::string sign(std::string_view text) const;

private:
  SigningKey(std::shared_ptr<evp_pkey_st> key, PublicKey open)
      : key_(std::move(key)), public_(std::move(open)) {}

  std::shared_ptr<evp_pkey_st> key_;
  PublicKey public_;
};

} // namespace skillhost
