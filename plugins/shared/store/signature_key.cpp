// SPDX-License-Identifier: Apache-2.0
#include "ground/hexadecimal.hpp"
#include "keys.hpp"
#include "problem.hpp"
#include "signature.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <array>
#include <cstddef>
#include <fstream>

namespace skillhost::store {
namespace {

constexpr std::size_t maxKeyBytes = 16'384;
constexpr std::size_t publicKeyBytes = 32;
constexpr std::size_t idDigits = 16;

struct FreeMemory {
  void operator()(BIO *memory) const { BIO_free(memory); }
};
using Memory = std::unique_ptr<BIO, FreeMemory>;

std::string contentOf(const Memory &memory) {
  char *data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, data + size};
}

SignatureKey checkedKey(EVP_PKEY *key, const std::string &path, const char *what) {
  SignatureKey out{{key, &EVP_PKEY_free}, {}};
  std::array<unsigned char, publicKeyBytes> bytes{};
  std::size_t size = bytes.size();
  ERR_clear_error();
  if (key == nullptr || EVP_PKEY_get_base_id(key) != EVP_PKEY_ED25519 ||
      EVP_PKEY_get_raw_public_key(key, bytes.data(), &size) != 1 || size != bytes.size())
    throw StoreError(Problem::Refused, path + ": is no Ed25519 " + what +
                                           " key in PEM: skillhost key new makes a pair");
  Blake3 hash;
  hash.add({reinterpret_cast<const char *>(bytes.data()), size});
  out.id = hexadecimal(hash.finish()).substr(0, idDigits);
  return out;
}

} // namespace

SignatureKeyTexts newSignatureKey() {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), &EVP_PKEY_free);
  const Memory secret(BIO_new(BIO_s_secmem())), open(BIO_new(BIO_s_mem()));
  if (!key || !secret || !open ||
      PEM_write_bio_PKCS8PrivateKey(secret.get(), key.get(), nullptr, nullptr, 0, nullptr,
                                    nullptr) != 1 ||
      PEM_write_bio_PUBKEY(open.get(), key.get()) != 1)
    throw StoreError(Problem::Failed, "an Ed25519 key cannot be made");
  return {contentOf(secret), contentOf(open)};
}

SignatureKey readSecretKey(const std::string &path) {
  const std::string text = readPrivateFile(path, maxKeyBytes);
  const Memory memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  // Passes an empty pass phrase, so that the library does not ask for one.
  std::string none;
  return checkedKey(PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, none.data()), path,
                    "secret");
}

SignatureKey readPublicKey(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw StoreError(Problem::Missing, path + ": this file of a trusted key cannot be read");
  std::string text(maxKeyBytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const Memory memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  return checkedKey(PEM_read_bio_PUBKEY(memory.get(), nullptr, nullptr, nullptr), path, "public");
}

} // namespace skillhost::store
