// SPDX-License-Identifier: Apache-2.0
#include "signer.hpp"

#include "ground/base64.hpp"
#include "ground/time_reading.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <stdexcept>

namespace auth_test {
namespace {

using nlohmann::json;
using skillhost::encodeBase64Url;

struct Curve {
  const char *name, *jwk;
  int bytes;
};

Curve curveOf(const std::string &algorithm) {
  if (algorithm == "ES256") return {"P-256", "P-256", 32};
  if (algorithm == "ES384") return {"P-384", "P-384", 48};
  return {"P-521", "P-521", 66};
}

std::string bytesOf(const BIGNUM *number, int size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (BN_bn2binpad(number, reinterpret_cast<unsigned char *>(bytes.data()), size) != size)
    throw std::runtime_error("a number is too large");
  return bytes;
}

std::string parameter(EVP_PKEY *key, const char *name, int size = 0) {
  BIGNUM *number = nullptr;
  if (EVP_PKEY_get_bn_param(key, name, &number) != 1) throw std::runtime_error(name);
  std::string bytes = bytesOf(number, size == 0 ? BN_num_bytes(number) : size);
  BN_free(number);
  return encodeBase64Url(bytes);
}

std::string rawFromDer(const std::string &der, int size) {
  const auto *in = reinterpret_cast<const unsigned char *>(der.data());
  ECDSA_SIG *both = d2i_ECDSA_SIG(nullptr, &in, static_cast<long>(der.size()));
  std::string raw = bytesOf(ECDSA_SIG_get0_r(both), size) + bytesOf(ECDSA_SIG_get0_s(both), size);
  ECDSA_SIG_free(both);
  return raw;
}

} // namespace

Signer::Signer(std::string algorithm, std::string keyId, unsigned rsaBits)
    : algorithm_(std::move(algorithm)), keyId_(std::move(keyId)) {
  EVP_PKEY *key = algorithm_ == "EdDSA"         ? EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")
                  : algorithm_.starts_with('E') ? EVP_EC_gen(curveOf(algorithm_).name)
                                                : EVP_RSA_gen(rsaBits);
  if (key == nullptr) throw std::runtime_error("no key");
  key_ = {key, &EVP_PKEY_free};
}

json Signer::jwk() const {
  json jwk{{"kid", keyId_}, {"alg", algorithm_}, {"use", "sig"}};
  if (algorithm_ == "EdDSA") {
    std::string raw(32, '\0');
    std::size_t size = raw.size();
    EVP_PKEY_get_raw_public_key(key_.get(), reinterpret_cast<unsigned char *>(raw.data()), &size);
    jwk.update({{"kty", "OKP"}, {"crv", "Ed25519"}, {"x", encodeBase64Url(raw)}});
  } else if (algorithm_.starts_with('E')) {
    const Curve curve = curveOf(algorithm_);
    jwk.update({{"kty", "EC"},
                {"crv", curve.jwk},
                {"x", parameter(key_.get(), OSSL_PKEY_PARAM_EC_PUB_X, curve.bytes)},
                {"y", parameter(key_.get(), OSSL_PKEY_PARAM_EC_PUB_Y, curve.bytes)}});
  } else {
    jwk.update({{"kty", "RSA"},
                {"n", parameter(key_.get(), OSSL_PKEY_PARAM_RSA_N)},
                {"e", parameter(key_.get(), OSSL_PKEY_PARAM_RSA_E)}});
  }
  return jwk;
}

std::string Signer::jwks() const { return json{{"keys", {jwk()}}}.dump(); }

std::string Signer::signature(std::string_view text) const {
  const EVP_MD *digest = algorithm_ == "EdDSA"         ? nullptr
                         : algorithm_.ends_with("256") ? EVP_sha256()
                         : algorithm_.ends_with("384") ? EVP_sha384()
                                                       : EVP_sha512();
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  EVP_PKEY_CTX *settings = nullptr;
  EVP_DigestSignInit(context, &settings, digest, nullptr, key_.get());
  if (algorithm_.starts_with('P')) {
    EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING);
    EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, RSA_PSS_SALTLEN_DIGEST);
  }
  const auto *in = reinterpret_cast<const unsigned char *>(text.data());
  std::size_t size = 1'024;
  std::string bytes(size, '\0');
  if (EVP_DigestSign(context, reinterpret_cast<unsigned char *>(bytes.data()), &size, in,
                     text.size()) != 1)
    throw std::runtime_error("no signature");
  EVP_MD_CTX_free(context);
  bytes.resize(size);
  if (algorithm_ == "EdDSA" || !algorithm_.starts_with('E')) return bytes;
  return rawFromDer(bytes, curveOf(algorithm_).bytes);
}

std::string Signer::sign(const std::string &header, const std::string &payload) const {
  const std::string text = encodeBase64Url(header) + '.' + encodeBase64Url(payload);
  return text + '.' + encodeBase64Url(signature(text));
}

std::string Signer::token(const json &changes, const json &headerChanges) const {
  const std::int64_t now = skillhost::secondsNow();
  json claims{{"iss", issuer},      {"aud", resource}, {"sub", "ada"},
              {"exp", now + 3'600}, {"iat", now},      {"scope", "skills:read skills:manage"}};
  json header{{"alg", algorithm_}, {"kid", keyId_}, {"typ", "at+jwt"}};
  claims.merge_patch(changes);
  header.merge_patch(headerChanges);
  return sign(header.dump(), claims.dump());
}

} // namespace auth_test
