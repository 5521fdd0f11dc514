// SPDX-License-Identifier: Apache-2.0
// A secret Ed25519 key (RFC 8032) in PEM, by OpenSSL, and what it signs.
#pragma once

#include "ground/public_key.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// Immutable; any thread.
class SigningKey {
public:
  // The first key of a text of at most 16 KiB, PKCS#8 without a pass phrase. Nothing for another
  // kind of key, or no PEM.
  static std::optional<SigningKey> fromPem(std::string_view text);

  const PublicKey &publicKey() const noexcept { return public_; }
  // 64 bytes; empty when OpenSSL fails.
  std::string sign(std::string_view text) const;

private:
  SigningKey(std::shared_ptr<evp_pkey_st> key, PublicKey open)
      : key_(std::move(key)), public_(std::move(open)) {}

  std::shared_ptr<evp_pkey_st> key_;
  PublicKey public_;
};

} // namespace skillhost
