// SPDX-License-Identifier: Apache-2.0
// Detached Ed25519 signatures (RFC 8032): who vouches for what a skill holds, whatever store it
// lies in. The file "signatures" beside a version has a line for each: the key's id, a blank, and
// the signature in base64, in the order of the ids.
#pragma once

#include <cstdint>
#include <memory>
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
  Wrongly, // one that names a trusted key is not by it, or the file is damaged
};
struct SignatureVerdict {
  Signed how = Signed::NotAsked;
  std::string key; // the id of the trusted key
};

// What is signed: the name of the skill and the digest of its content.
std::string signatureStatement(const std::string &name, const std::string &content);
SignatureVerdict judgeSignatures(std::string_view file, std::string_view statement,
                                 const std::vector<SignatureKey> &trusted);
// The file with the key's signature in it, in place of an earlier one of the same key. A file that
// is damaged is begun anew.
std::string addSignature(std::string_view file, std::string_view statement,
                         const SignatureKey &key);

} // namespace skillhost::store
