// SPDX-License-Identifier: Apache-2.0
#include "ground/sha1.hpp"

#include <openssl/evp.h>

#include <stdexcept>

namespace skillhost {
namespace {

void require(bool holds) {
  if (!holds) throw std::runtime_error("OpenSSL offers no SHA-1");
}

} // namespace

void Sha1::Delete::operator()(evp_md_ctx_st *context) const noexcept { EVP_MD_CTX_free(context); }

Sha1::Sha1() : context_(EVP_MD_CTX_new()) {
  require(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha1(), nullptr) == 1);
}

void Sha1::add(std::string_view bytes) {
  require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

Sha1::Digest Sha1::finish() {
  Digest digest{};
  require(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1);
  return digest;
}

} // namespace skillhost
