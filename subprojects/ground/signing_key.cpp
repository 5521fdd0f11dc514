// SPDX-License-Identifier: Apache-2.0
#include "ground/signing_key.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <cstddef>

namespace skillhost {
namespace {

constexpr std::size_t maxSecretPemBytes = 16'384, ed25519SignatureBytes = 64;

struct FreeSecretMemory {
  void operator()(BIO *memory) const { BIO_free(memory); }
};
using SecretMemory = std::unique_ptr<BIO, FreeSecretMemory>;

std::string publicPemOf(EVP_PKEY *key) {
  const SecretMemory memory(BIO_new(BIO_s_mem()));
  if (!memory || PEM_write_bio_PUBKEY(memory.get(), key) != 1) return {};
  char *data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, data + size};
}

} // namespace

std::optional<SigningKey> SigningKey::fromPem(std::string_view text) {
  if (text.size() > maxSecretPemBytes) return std::nullopt;
  const SecretMemory memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  std::string none; // the pass phrase, so that OpenSSL does not ask for one
  const std::shared_ptr<EVP_PKEY> key(
      memory ? PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, none.data()) : nullptr,
      &EVP_PKEY_free);
  const bool isKnown = key && EVP_PKEY_get_base_id(key.get()) == EVP_PKEY_ED25519;
  std::optional<PublicKey> open =
      isKnown ? PublicKey::fromPem(publicPemOf(key.get())) : std::nullopt;
  ERR_clear_error(); // clears the thread's queue
  if (!open) return std::nullopt;
  return SigningKey(key, *std::move(open));
}

std::string SigningKey::sign(std::string_view text) const {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  std::string bytes(ed25519SignatureBytes, '\0');
  std::size_t size = bytes.size();
  const bool isSigned =
      context && EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char *>(bytes.data()), &size,
                     reinterpret_cast<const unsigned char *>(text.data()), text.size()) == 1 &&
      size == bytes.size();
  ERR_clear_error();
  return isSigned ? bytes : std::string();
}

} // namespace skillhost
