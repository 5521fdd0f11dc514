// SPDX-License-Identifier: Apache-2.0
#include "ground/public_key.hpp"

#include "ground/sha256.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <array>

namespace skillhost {
namespace {

constexpr std::size_t maxPemBytes = 16'384;

template <auto release> struct ReleaseOpenSsl {
  template <class T> void operator()(T *object) const { release(object); }
};
using PemMemory = std::unique_ptr<BIO, ReleaseOpenSsl<&BIO_free>>;
using VerifyContext = std::unique_ptr<EVP_MD_CTX, ReleaseOpenSsl<&EVP_MD_CTX_free>>;

const unsigned char *signedBytes(std::string_view text) {
  return reinterpret_cast<const unsigned char *>(text.data());
}

bool isOnP256(EVP_PKEY *key) {
  std::array<char, 32> group{};
  std::size_t length = 0;
  return EVP_PKEY_get_base_id(key) == EVP_PKEY_EC &&
         EVP_PKEY_get_group_name(key, group.data(), group.size(), &length) == 1 &&
         std::string_view(group.data(), length) == "prime256v1";
}

std::string derOf(EVP_PKEY *key) {
  const int size = i2d_PUBKEY(key, nullptr);
  if (size <= 0) return {};
  std::string der(static_cast<std::size_t>(size), '\0');
  auto *out = reinterpret_cast<unsigned char *>(der.data());
  i2d_PUBKEY(key, &out);
  return der;
}

} // namespace

std::optional<PublicKey> PublicKey::fromPem(std::string_view text) {
  if (text.size() > maxPemBytes) return std::nullopt;
  const PemMemory memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  const std::shared_ptr<EVP_PKEY> key(
      memory ? PEM_read_bio_PUBKEY(memory.get(), nullptr, nullptr, nullptr) : nullptr,
      &EVP_PKEY_free);
  const bool isCurve = key && isOnP256(key.get());
  const bool isKnown = isCurve || (key && EVP_PKEY_get_base_id(key.get()) == EVP_PKEY_ED25519);
  const std::string der = isKnown ? derOf(key.get()) : std::string();
  ERR_clear_error(); // clears the thread's queue, which the host may share
  if (der.empty()) return std::nullopt;
  return PublicKey(key, isCurve, sha256Hex(der));
}

bool PublicKey::verifies(std::string_view text, std::string_view signature) const {
  const VerifyContext context(EVP_MD_CTX_new());
  const bool good = context &&
                    EVP_DigestVerifyInit(context.get(), nullptr, isCurve_ ? EVP_sha256() : nullptr,
                                         nullptr, key_.get()) == 1 &&
                    EVP_DigestVerify(context.get(), signedBytes(signature), signature.size(),
                                     signedBytes(text), text.size()) == 1;
  ERR_clear_error();
  return good;
}

} // namespace skillhost
