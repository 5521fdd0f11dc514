// SPDX-License-Identifier: Apache-2.0
// Signatures of a file of approvals: Ed25519 signatures of its bytes in FILE.sig, one line of
// base64 each. One signature by a trusted key is enough.
#pragma once

#include "ground/public_key.hpp"
#include "ground/result.hpp"
#include "ground/signing_key.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

std::string signatureFileOf(const std::string &approvals);

// The keys whose signatures are trusted. Immutable; any thread.
class ApprovalsKeys {
public:
  ApprovalsKeys() = default; // without keys, no signature is needed
  // Reads key files in PEM. The failure names the file and its error.
  static Result<ApprovalsKeys> read(const std::vector<std::string> &files);

  bool empty() const noexcept { return keys_.empty(); }
  bool has(const PublicKey &key) const noexcept;
  // Returns true if a line of `signatures` is a signature of the text by one of the keys.
  bool verify(std::string_view text, std::string_view signatures) const;

private:
  std::vector<PublicKey> keys_;
};

// Reads the secret key in this file, which only its owner may be able to read. The failure names
// the file and its error.
Result<SigningKey> readSigningKey(const std::string &file);

// Returns the text of a file of approvals if a trusted key has signed it; without keys, it returns
// any text. While somebody replaces both files, it returns the old text or the new one. Fails with
// NotFound if there is no such file, and with Corrupt if no trusted signature fits. Other failures
// name the file, too.
Result<std::string> readSigned(const std::string &file, const ApprovalsKeys &keys);

// Writes FILE.sig: first a signature of `text`, then a few of the existing signatures, because
// readers may still see the old text. Returns the new content of FILE.sig.
Result<std::string> addSignature(const std::string &file, std::string_view text,
                                 const SigningKey &key);
// Removes all signatures but the newest, unless FILE.sig has changed since addSignature() returned
// `signatures`.
void keepNewestSignature(const std::string &file, const std::string &signatures);

} // namespace skillhost
