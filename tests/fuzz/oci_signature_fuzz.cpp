// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a registry's data beside a signature, and as a configured key: reading ends,
// the accepted parts of a statement keep the rules, and no signature is right by chance.
#include "ground/public_key.hpp"
#include "oci/cosign.hpp"
#include "oci/digest.hpp"

#include <cstdint>
#include <cstdlib>

using namespace skillhost::oci;

namespace {

void requireThat(bool holds) {
  if (!holds) std::abort();
}

void readOneStatement(const std::string &text) {
  const SignedStatement statement = readStatement(text);
  requireThat(isDigest(statement.digest));
  const auto where = readReference("a.b/team/x:1");
  // A statement is about an image only if it names all of it.
  if (!statement.repository.empty() && isAbout(statement, *where))
    requireThat(statement.repository.find("a.b/team/x") == 0);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(data + 1, data + size);
  try {
    switch (data[0] % 3) {
    case 0:
      readOneStatement(text);
      break;
    case 1:
      requireThat(readComplaint(text).find('\x1b') == std::string::npos);
      break;
    default:
      if (const auto key = skillhost::PublicKey::fromPem(text)) key->verifies("text", text);
    }
  } catch (const std::runtime_error &) {}
  return 0;
}
