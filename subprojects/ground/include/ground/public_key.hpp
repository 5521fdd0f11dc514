// SPDX-License-Identifier: Apache-2.0
// Public keys in PEM, by OpenSSL, and what they have signed: ECDSA on the curve P-256 over SHA-256
// (FIPS 186-4), its signatures in DER, and Ed25519 (RFC 8032).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_pkey_st; // OpenSSL's EVP_PKEY

namespace skillhost {

// Immutable; any thread.
class PublicKey {
public:
  // The first SubjectPublicKeyInfo of a text of at most 16 KiB. Nothing for another kind of key or
  // curve, a private key, or no PEM.
  static std::optional<PublicKey> fromPem(std::string_view text);

  // SHA-256 of the SubjectPublicKeyInfo in DER, 64 hexadecimal digits.
  const std::string &id() const noexcept { return id_; }
  bool isEd25519() const noexcept { return !isCurve_; }
  bool verifies(std::string_view text, std::string_view signature) const;

private:
  PublicKey(std::shared_ptr<evp_pkey_st> key, bool isCurve, std::string id)
      : key_(std::move(key)), isCurve_(isCurve), id_(std::move(id)) {}

  std::shared_ptr<evp_pkey_st> key_;
  bool isCurve_; // P-256; else Ed25519, which makes its own digest
  std::string id_;
};

} // namespace skillhost
