// SPDX-License-Identifier: Apache-2.0
#include "ground/sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace skillhost {

std::string sha256Hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL offers no SHA-256");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(std::size_t{length} * 2);
  for (unsigned i = 0; i < length; ++i) {
    out += digits[digest[i] >> 4U];
    out += digits[digest[i] & 15U];
  }
  return out;
}

} // namespace skillhost
