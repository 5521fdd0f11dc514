// SPDX-License-Identifier: Apache-2.0
#include "ground/hmac.hpp"

#include "ground/hexadecimal.hpp"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace skillhost {
namespace {

using HmacDigest = std::array<unsigned char, 32>;

struct FreeMac {
  void operator()(EVP_MAC *algorithm) const noexcept { ::EVP_MAC_free(algorithm); }
  void operator()(EVP_MAC_CTX *context) const noexcept { ::EVP_MAC_CTX_free(context); }
};

const unsigned char *asBytes(std::string_view text) noexcept {
  return reinterpret_cast<const unsigned char *>(text.data());
}

} // namespace

struct HmacSha256::Context {
  std::unique_ptr<EVP_MAC_CTX, FreeMac> computation;
};

HmacSha256::HmacSha256(std::string_view key) : context_(std::make_unique<Context>()) {
  const std::unique_ptr<EVP_MAC, FreeMac> algorithm(::EVP_MAC_fetch(nullptr, "HMAC", nullptr));
  if (algorithm) context_->computation.reset(::EVP_MAC_CTX_new(algorithm.get()));
  std::string digest = "SHA256";
  const std::array<OSSL_PARAM, 2> parameters{
      ::OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
      ::OSSL_PARAM_construct_end()};
  if (!context_->computation ||
      ::EVP_MAC_init(context_->computation.get(), asBytes(key), key.size(), parameters.data()) != 1)
    throw std::runtime_error("OpenSSL offers no HMAC with SHA-256");
}

HmacSha256::~HmacSha256() = default;

void HmacSha256::add(std::string_view bytes) {
  if (::EVP_MAC_update(context_->computation.get(), asBytes(bytes), bytes.size()) != 1)
    throw std::runtime_error("OpenSSL cannot go on with HMAC-SHA-256");
}

bool HmacSha256::matches(std::string_view signature) {
  HmacDigest expected{}, made{};
  std::size_t size = 0;
  return readHexadecimal(signature, expected) &&
         ::EVP_MAC_final(context_->computation.get(), made.data(), &size, made.size()) == 1 &&
         size == made.size() && ::CRYPTO_memcmp(made.data(), expected.data(), made.size()) == 0;
}

bool HmacSha256::isSignature(std::string_view text) {
  HmacDigest digest{};
  return readHexadecimal(text, digest);
}

} // namespace skillhost
