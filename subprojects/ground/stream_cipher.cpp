// SPDX-License-Identifier: Apache-2.0
#include "ground/stream_cipher.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>

namespace skillhost {

std::string aes256Counter(const CipherKey &key, const CipherStart &start, std::string_view bytes) {
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&::EVP_CIPHER_CTX_free)> context(
      ::EVP_CIPHER_CTX_new(), &::EVP_CIPHER_CTX_free);
  if (!context || ::EVP_EncryptInit_ex(context.get(), ::EVP_aes_256_ctr(), nullptr, key.data(),
                                       start.data()) != 1)
    throw std::runtime_error("OpenSSL offers no AES-256 in counter mode");
  std::string made(bytes.size(), '\0');
  constexpr std::size_t most = std::numeric_limits<int>::max() / 2; // bytes per call
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t part = std::min(most, bytes.size() - at);
    int length = 0;
    if (::EVP_EncryptUpdate(context.get(), reinterpret_cast<unsigned char *>(made.data() + at),
                            &length, reinterpret_cast<const unsigned char *>(bytes.data() + at),
                            static_cast<int>(part)) != 1)
      throw std::runtime_error("OpenSSL has failed to encrypt");
    at += part;
  }
  return made;
}

} // namespace skillhost
