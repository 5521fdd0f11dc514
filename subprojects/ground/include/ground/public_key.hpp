// SPDX-License-Identifier: Apache-2.0
// Public keys in PEM, and their signatures, by OpenSSL: ECDSA on the curve P-256 over SHA-256 (FIPS
// 186-4) with signatures in DER, and Ed25519 (RFC 8032).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_pkey_st; // OpenSSL's EVP_PKEY

namespace skillhost {

// Immutable, so it may be used on any thread.
class PublicKey {
public:
  // Reads the first SubjectPublicKeyInfo of a text of at most 16 KiB. Returns nothing for another
  // kind of key or curve, a private key, or a text that is not PEM.
  static std::optional<PublicKey> fromPem(std::string_view text);

  // SHA-256 of the SubjectPublicKeyInfo in DER, as 64 hexadecimal digits.
  const std::string &id() const noexcept { return id_; }
  bool isEd25519() const noexcept { return !isCurve_; }
  bool verifies(std::string_view text, std::string_view signature) const;

private:
  PublicKey(std::shared_ptr<evp_pkey_st> key, bool isCurve, std::string id)
      : key_(std::move(key)), isCurve_(isCurve), id_(std::move(id)) {}

  std::shared_ptr<evp_pkey_st> key_;
  bool isCurve_; // P-256; false: Ed25519, which makes its own digest
  std::string id_;
};

} // namespace skillhost
