// SPDX-License-Identifier: Apache-2.0
#include "ground/hmac.hpp"

#include "ground/hexadecimal.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace skillhost {
namespace {

constexpr std::size_t digestBytes = 32;

} // namespace

bool signedWithHmacSha256(std::string_view bytes, std::string_view key,
                          std::string_view signature) {
  std::array<unsigned char, digestBytes> given{};
  if (!readHexadecimal(signature, given) || key.size() > std::numeric_limits<int>::max())
    return false;
  std::array<unsigned char, EVP_MAX_MD_SIZE> made{};
  unsigned length = 0;
  const auto *const data = reinterpret_cast<const unsigned char *>(bytes.data());
  if (::HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), data, bytes.size(),
             made.data(), &length) == nullptr ||
      length != digestBytes)
    throw std::runtime_error("OpenSSL offers no SHA-256");
  return ::CRYPTO_memcmp(made.data(), given.data(), digestBytes) == 0;
}

} // namespace skillhost
