// SPDX-License-Identifier: Apache-2.0
#include "ground/sha256.hpp"

#include "ground/hexadecimal.hpp"

#include <openssl/sha.h>

#include <array>

namespace skillhost {

// OpenSSL's general interface (EVP) prepares all its algorithms and reads its configuration file
// before the first digest: that costs each server 2 MB of memory and 1 ms. The functions below need
// none of it. OpenSSL calls them deprecated, because they do not follow its configuration.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
std::string sha256Hex(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256_CTX state;
  SHA256_Init(&state);
  SHA256_Update(&state, bytes.data(), bytes.size());
  SHA256_Final(digest.data(), &state);
  return hexadecimal(digest);
}
#pragma GCC diagnostic pop

} // namespace skillhost
