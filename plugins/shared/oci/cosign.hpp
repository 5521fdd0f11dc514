// SPDX-License-Identifier: Apache-2.0
// Verifies signatures that cosign keeps in a registry. The signatures of an artefact with the
// digest sha256:HEX are in the manifest with the tag sha256-HEX.sig. Each of its layers is a
// statement ("simple signing") with its signature in an annotation.
#pragma once

#include "registry.hpp"

#include "ground/public_key.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::oci {

struct TrustedKey {
  std::string name; // its file, or its place in the configuration
  PublicKey key;
};

// `written` is a public key in PEM, which is then named `place`, or the path of a file that holds
// one: ECDSA on P-256 or Ed25519. Throws std::runtime_error that names the file or the place.
TrustedKey readTrustedKey(const std::string &written, const std::string &place);

// The content of a signed statement.
struct SignedStatement {
  std::string digest;     // digest of the artefact
  std::string repository; // "registry.example/team/skill"; "" if the statement names none
};
constexpr std::size_t maxStatementBytes = std::size_t{64} << 10U, maxSignatures = 32;

// Throws ContentError if the text is not a statement of cosign.
SignedStatement readStatement(std::string_view text);
// True if the statement names this repository, with or without a tag or digest, or names none.
bool isAbout(const SignedStatement &statement, const Reference &where);

// Returns the name of the first trusted key that has signed this digest in this repository. If
// there is none, throws ContentError that says why. Also throws what the registry throws.
std::string requireSigner(Registry &registry, remote::Operation &operation, const Reference &where,
                          const std::string &digest, const std::vector<TrustedKey> &trusted);

} // namespace skillhost::oci
