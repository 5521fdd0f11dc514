// SPDX-License-Identifier: Apache-2.0
// Signatures of artefacts as cosign keeps them in a registry: beside an artefact of the digest
// sha256:HEX there is the tag sha256-HEX.sig, a manifest of which each layer is a statement
// ("simple signing") with its signature in an annotation.
#pragma once

#include "registry.hpp"

#include "ground/public_key.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::oci {

struct TrustedKey {
  std::string name; // its file, or which of those in the configuration it is
  PublicKey key;
};

// `written` is a public key in PEM itself, which is called `place` then, or the path of a file that
// holds one: ECDSA on P-256 or Ed25519. Throws std::runtime_error, which names the file or the
// place.
TrustedKey readTrustedKey(const std::string &written, const std::string &place);

// What somebody has signed.
struct SignedStatement {
  std::string digest;     // of the artefact
  std::string repository; // "registry.example/team/skill"; "" when it names none
};
constexpr std::size_t mostStatementBytes = std::size_t{64} << 10U, mostSignatures = 32;

// Throws ContentError for what is no statement of cosign's.
SignedStatement readStatement(std::string_view text);
// Is it about this repository, with a tag or a digest behind it or not, or about none?
bool isAbout(const SignedStatement &statement, const Reference &where);

// The name of the first of the keys that has signed this digest, in this repository. Throws
// ContentError, which says why, when none has; else what the registry throws.
std::string requireSigner(Registry &registry, remote::Operation &operation, const Reference &where,
                          const std::string &digest, const std::vector<TrustedKey> &trusted);

} // namespace skillhost::oci
