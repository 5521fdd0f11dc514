// SPDX-License-Identifier: Apache-2.0
#include "ground/sha512.hpp"

#include "ground/hexadecimal.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace skillhost {

std::string sha512Hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha512(), nullptr) != 1)
    throw std::runtime_error("OpenSSL offers no SHA-512");
  return hexadecimal({digest.data(), length});
}

} // namespace skillhost
