// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a set of keys: it is accepted or refused, and no key of it verifies a
// signature that nobody made.
#include "jwt/key_set.hpp"

#include <cstdint>
#include <cstdlib>
#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  using namespace skillhost::jwt;
  try {
    const KeySet keys = KeySet::read({reinterpret_cast<const char *>(data), size});
    for (const Algorithm algorithm : {Algorithm::Rs256, Algorithm::Ps384, Algorithm::Es256,
                                      Algorithm::Es384, Algorithm::Es512, Algorithm::EdDsa})
      for (const char *id : {"", "k1"})
        if (const PublicKey *key = keys.find(id, algorithm))
          static_cast<void>(key->verifies(algorithm, "text", std::string(64, '\x01')));
    if (keys.size() + keys.leftOut() > KeySet::maxKeys) std::abort();
  } catch (const std::runtime_error &) {
    // The set was refused.
  }
  return 0;
}
