// SPDX-License-Identifier: Apache-2.0
#include "public_key.hpp"

#include "ground/base64.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include <string>

namespace skillhost::jwt {
namespace {

template <auto release> struct Release {
  template <class T> void operator()(T *object) const { release(object); }
};
using Number = std::unique_ptr<BIGNUM, Release<&BN_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Release<&OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Release<&OSSL_PARAM_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Release<&EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Release<&EVP_MD_CTX_free>>;
using EcdsaSignature = std::unique_ptr<ECDSA_SIG, Release<&ECDSA_SIG_free>>;
using Key = std::shared_ptr<EVP_PKEY>;

constexpr int minRsaBits = 2'048;
constexpr int maxRsaBits = 8'192; // larger keys make verification slow
constexpr std::size_t maxExponentBytes = 8;

const unsigned char *bytesOf(std::string_view text) {
  return reinterpret_cast<const unsigned char *>(text.data());
}

Number numberOf(std::string_view bytes) {
  return Number(BN_bin2bn(bytesOf(bytes), static_cast<int>(bytes.size()), nullptr));
}

// Decodes a member; empty if it is missing or not base64url.
std::string member(const Json &jwk, const char *name) {
  const auto found = jwk.find(name);
  if (found == jwk.end() || !found->is_string()) return {};
  return decodeBase64Url(found->get_ref<const std::string &>()).value_or("");
}

Key imported(const char *type, const Builder &builder) {
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder.get()));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY *key = nullptr;
  if (parameters && context && EVP_PKEY_fromdata_init(context.get()) == 1)
    EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get());
  return {key, &EVP_PKEY_free};
}

Key rsaKey(const Json &jwk) {
  const std::string modulus = member(jwk, "n");
  const std::string exponent = member(jwk, "e");
  if (modulus.empty() || modulus.size() > maxRsaBits / 8 + 1 || exponent.empty() ||
      exponent.size() > maxExponentBytes)
    return nullptr;
  const Number n = numberOf(modulus);
  const Number e = numberOf(exponent);
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!n || !e || !builder || BN_is_odd(e.get()) == 0 || BN_is_one(e.get()) == 1 ||
      BN_is_odd(n.get()) == 0 || BN_num_bits(n.get()) < minRsaBits ||
      BN_num_bits(n.get()) > maxRsaBits ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1)
    return nullptr;
  return imported("RSA", builder);
}

std::size_t coordinateBytes(KeyKind kind) {
  return kind == KeyKind::P256 ? 32 : kind == KeyKind::P384 ? 48 : 66;
}

Key curveKey(const Json &jwk, KeyKind kind) {
  const std::string x = member(jwk, "x");
  const std::string y = member(jwk, "y");
  if (x.size() != coordinateBytes(kind) || y.size() != x.size()) return nullptr;
  const char *group = kind == KeyKind::P256   ? "prime256v1"
                      : kind == KeyKind::P384 ? "secp384r1"
                                              : "secp521r1";
  const std::string point = "\x04" + x + y;
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!builder ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, group, 0) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1)
    return nullptr;
  Key key = imported("EC", builder);
  const KeyContext context(key ? EVP_PKEY_CTX_new(key.get(), nullptr) : nullptr);
  return context && EVP_PKEY_public_check(context.get()) == 1 ? key : nullptr;
}

Key edwardsKey(const Json &jwk) {
  const std::string x = member(jwk, "x");
  if (x.size() != 32) return nullptr;
  return {EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytesOf(x), x.size()),
          &EVP_PKEY_free};
}

std::optional<KeyKind> kindOf(const Json &jwk) {
  const Json type = jwk.value("kty", Json());
  const Json curve = jwk.value("crv", Json());
  if (type == "RSA") return KeyKind::Rsa;
  if (type == "EC") {
    if (curve == "P-256") return KeyKind::P256;
    if (curve == "P-384") return KeyKind::P384;
    if (curve == "P-521") return KeyKind::P521;
  }
  if (type == "OKP" && curve == "Ed25519") return KeyKind::Ed25519;
  return std::nullopt;
}

const EVP_MD *digestOf(Algorithm algorithm) {
  switch (algorithm) {
  case Algorithm::Rs256:
  case Algorithm::Ps256:
  case Algorithm::Es256:
    return EVP_sha256();
  case Algorithm::Rs384:
  case Algorithm::Ps384:
  case Algorithm::Es384:
    return EVP_sha384();
  case Algorithm::Rs512:
  case Algorithm::Ps512:
  case Algorithm::Es512:
    return EVP_sha512();
  case Algorithm::EdDsa:
    break;
  }
  return nullptr;
}

bool isPss(Algorithm algorithm) {
  return algorithm == Algorithm::Ps256 || algorithm == Algorithm::Ps384 ||
         algorithm == Algorithm::Ps512;
}

// Converts two numbers side by side (RFC 7518 section 3.4) to DER. Empty if the length is wrong.
std::string asDer(std::string_view signature, KeyKind kind) {
  const std::size_t half = coordinateBytes(kind);
  if (signature.size() != 2 * half) return {};
  Number r = numberOf(signature.substr(0, half));
  Number s = numberOf(signature.substr(half));
  const EcdsaSignature both(ECDSA_SIG_new());
  if (!r || !s || !both) return {};
  // Takes ownership of both, and only fails for null.
  if (ECDSA_SIG_set0(both.get(), r.release(), s.release()) != 1) return {};
  const int size = i2d_ECDSA_SIG(both.get(), nullptr);
  if (size <= 0) return {};
  std::string der(static_cast<std::size_t>(size), '\0');
  auto *out = reinterpret_cast<unsigned char *>(der.data());
  i2d_ECDSA_SIG(both.get(), &out);
  return der;
}

} // namespace

std::optional<PublicKey> PublicKey::fromJwk(const Json &jwk) {
  if (!jwk.is_object()) return std::nullopt;
  const std::optional<KeyKind> kind = kindOf(jwk);
  if (!kind) return std::nullopt;
  Key key = *kind == KeyKind::Rsa       ? rsaKey(jwk)
            : *kind == KeyKind::Ed25519 ? edwardsKey(jwk)
                                        : curveKey(jwk, *kind);
  ERR_clear_error(); // the error queue belongs to the thread, which belongs to the host
  if (!key) return std::nullopt;
  return PublicKey(std::move(key), *kind);
}

bool PublicKey::verifies(Algorithm algorithm, std::string_view text,
                         std::string_view signature) const {
  if (keyKindOf(algorithm) != kind_) return false;
  const bool onCurve = kind_ != KeyKind::Rsa && kind_ != KeyKind::Ed25519;
  const std::string bytes = onCurve ? asDer(signature, kind_) : std::string(signature);
  const DigestContext context(EVP_MD_CTX_new());
  EVP_PKEY_CTX *settings = nullptr; // owned by the context
  bool good =
      !bytes.empty() && context &&
      EVP_DigestVerifyInit(context.get(), &settings, digestOf(algorithm), nullptr, key_.get()) == 1;
  if (good && isPss(algorithm))
    good = EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) == 1 &&
           EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, RSA_PSS_SALTLEN_DIGEST) == 1;
  good = good && EVP_DigestVerify(context.get(), bytesOf(bytes), bytes.size(), bytesOf(text),
                                  text.size()) == 1;
  ERR_clear_error();
  return good;
}

} // namespace skillhost::jwt
