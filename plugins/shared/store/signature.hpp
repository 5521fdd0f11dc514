// SPDX-License-Identifier: Apache-2.0
// Detached Ed25519 signatures (RFC 8032) vouch for a version of a skill, independently of the
// store. The first line of the file "signatures" beside a version names the version. Each further
// line is a signature: the key's id, a blank, and the signature in base64, sorted by id. An earlier
// form had no first line, and the signed text named no version.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct evp_pkey_st; // OpenSSL's EVP_PKEY

namespace skillhost::store {

// A public key, or a pair. It is shared and never changed, so any thread may use it.
struct SignatureKey {
  std::shared_ptr<evp_pkey_st> key;
  std::string id; // first 16 hexadecimal digits of the BLAKE3 digest of the public key
};

// A new pair of keys in PEM: PKCS#8, and SubjectPublicKeyInfo (RFC 8410).
struct SignatureKeyTexts {
  std::string secret, open;
};
SignatureKeyTexts newSignatureKey();

// Throw StoreError that names the file, if it is not an Ed25519 key in PEM. The file of a secret
// key must be as private as that of a store's key.
SignatureKey readSecretKey(const std::string &path);
SignatureKey readPublicKey(const std::string &path);

enum class Signed : std::uint8_t {
  NotAsked,   // signatures were not checked
  No,         // there is no signature
  ByStranger, // there are signatures, but none by a trusted key
  ByTrusted,
  WithoutVersion, // by a trusted key in the earlier form, so it may be for an older version
  Wrongly,        // a signature is not by the trusted key that it names, the file is damaged, or it
                  // is for another version
};
struct SignatureVerdict {
  Signed how = Signed::NotAsked;
  std::string key; // id of the trusted key
};

// The signed statement: the skill has this content in this version.
struct SignedVersion {
  std::string name;
  std::uint64_t version = 0;
  std::string content; // digest of the content
};

// Returns the version that the file names; nothing if the file is empty, damaged or in the earlier
// form.
std::optional<std::uint64_t> versionSigned(std::string_view file);
SignatureVerdict judgeSignatures(std::string_view file, const SignedVersion &version,
                                 const std::vector<SignatureKey> &trusted);
// Returns the file with the key's signature, which replaces an earlier one of the same key. A file
// that is damaged, in the earlier form or of another version is replaced. Throws StoreError.
std::string addSignature(std::string_view file, const SignedVersion &version,
                         const SignatureKey &key);
// Returns `file` with the additional signatures of `more`, if both are for the same version;
// otherwise `more`.
std::string joinSignatures(std::string_view file, std::string_view more);

} // namespace skillhost::store
