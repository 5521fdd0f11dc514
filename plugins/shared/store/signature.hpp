// SPDX-License-Identifier: Apache-2.0
// Detached Ed25519 signatures (RFC 8032): who vouches for a version of a skill, whatever store it
// lies in. The file "signatures" beside a version has a first line that says which version it is
// of, and then a line for each signature: the key's id, a blank, and the signature in base64, in
// the order of the ids. An earlier form had no first line, and what was signed named no version.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct evp_pkey_st; // OpenSSL's EVP_PKEY

namespace skillhost::store {

// The public half, or both. Shared and never changed: any thread.
struct SignatureKey {
  std::shared_ptr<evp_pkey_st> key;
  std::string id; // the first 16 hexadecimal digits of the public key's BLAKE3 digest
};

// The texts in PEM of a new pair: PKCS#8, and SubjectPublicKeyInfo (RFC 8410).
struct SignatureKeyTexts {
  std::string secret, open;
};
SignatureKeyTexts newSignatureKey();

// Throw StoreError, which names the file, when it is no Ed25519 key in PEM; the secret one must be
// private as the key of a store must.
SignatureKey readSecretKey(const std::string &path);
SignatureKey readPublicKey(const std::string &path);

enum class Signed : std::uint8_t {
  NotAsked,   // nobody looked
  No,         // there is no signature
  ByStranger, // there are some, none of a key that is trusted
  ByTrusted,
  WithoutVersion, // by a trusted key, in the earlier form: it may be of an older version
  Wrongly,        // one that names a trusted key is not by it, the file is damaged, or it is of
                  // another version
};
struct SignatureVerdict {
  Signed how = Signed::NotAsked;
  std::string key; // the id of the trusted key
};

// What is signed: that this is the skill's content in this version.
struct SignedVersion {
  std::string name;
  std::uint64_t version = 0;
  std::string content; // its digest
};

// What the file says it is of; nothing when it is empty, damaged, or of the earlier form.
std::optional<std::uint64_t> versionSigned(std::string_view file);
SignatureVerdict judgeSignatures(std::string_view file, const SignedVersion &version,
                                 const std::vector<SignatureKey> &trusted);
// The file with the key's signature in it, in place of an earlier one of the same key. A file that
// is damaged, of another version, or of the earlier form is begun anew. Throws StoreError.
std::string addSignature(std::string_view file, const SignedVersion &version,
                         const SignatureKey &key);
// `file` with what `more` has beyond it; both are of the same version, else it is `more`.
std::string joinSignatures(std::string_view file, std::string_view more);

} // namespace skillhost::store
