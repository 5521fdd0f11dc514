// SPDX-License-Identifier: Apache-2.0
#include "sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <new>

namespace skillhost::digest {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), hash.data(), &size, EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc(); // it can fail for nothing else
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(std::size_t{2} * size);
  for (unsigned i = 0; i < size; ++i)
    text.append({digits[hash.at(i) >> 4U], digits[hash.at(i) & 15U]});
  return text;
}

} // namespace skillhost::digest
