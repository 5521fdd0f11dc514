// SPDX-License-Identifier: Apache-2.0
#include "tls_client_certificate.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/utf8.hpp"
#include "net/trusted_proxies.hpp"

#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost::http {
namespace {

struct FreeParts {
  void operator()(GENERAL_NAMES *names) const noexcept { GENERAL_NAMES_free(names); }
  void operator()(BIO *text) const noexcept { BIO_free(text); }
};

bool plain(std::string_view text) {
  return isUtf8(text) && std::none_of(text.begin(), text.end(), [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
         });
}

// Formats a name, with reserved and control characters escaped.
std::string distinguishedName(const X509_NAME *name) {
  const std::unique_ptr<BIO, FreeParts> text(BIO_new(BIO_s_mem()));
  constexpr unsigned long form =
      XN_FLAG_RFC2253 & ~static_cast<unsigned long>(ASN1_STRFLGS_ESC_MSB);
  if (!text || X509_NAME_print_ex(text.get(), name, 0, form) < 0) return {};
  char *bytes = nullptr;
  const long size = BIO_get_mem_data(text.get(), &bytes);
  std::string all(bytes, size > 0 ? static_cast<std::size_t>(size) : 0);
  return plain(all) ? all : std::string();
}

std::string_view textOf(const ASN1_STRING *text) {
  return {reinterpret_cast<const char *>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string addressText(std::string_view bytes) {
  std::array<std::uint8_t, 16> address{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), address.size()), address.begin());
  if (bytes.size() == 4) return IpAddress::ofFour(address.data()).text();
  return bytes.size() == address.size() ? IpAddress{address}.text() : std::string();
}

std::vector<std::string> namesOf(const X509 &certificate) {
  const std::unique_ptr<GENERAL_NAMES, FreeParts> names(static_cast<GENERAL_NAMES *>(
      X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  std::vector<std::string> all;
  for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
    int type = 0;
    const void *const value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names.get(), i), &type);
    const char *const kind = type == GEN_DNS     ? "dns:"
                             : type == GEN_EMAIL ? "email:"
                             : type == GEN_URI   ? "uri:"
                             : type == GEN_IPADD ? "ip:"
                                                 : nullptr;
    if (kind == nullptr) continue;
    const std::string_view bytes = textOf(static_cast<const ASN1_STRING *>(value));
    const std::string text = type == GEN_IPADD ? addressText(bytes) : std::string(bytes);
    if (!text.empty() && plain(text)) all.push_back(kind + text);
  }
  return all;
}

std::string digestOf(const X509 &certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (X509_digest(&certificate, EVP_sha256(), digest.data(), &size) != 1) return {};
  return hexadecimal({digest.data(), size});
}

std::int64_t expiryOf(const X509 &certificate) {
  std::tm end{};
  if (ASN1_TIME_to_tm(X509_get0_notAfter(&certificate), &end) != 1) return 0;
  return ::timegm(&end);
}

} // namespace

std::shared_ptr<const ClientCertificate> clientCertificate(SSL &session) {
  const X509 *const shown = SSL_get0_peer_certificate(&session);
  if (shown == nullptr || SSL_get_verify_result(&session) != X509_V_OK) return nullptr;
  auto made = std::make_shared<ClientCertificate>();
  made->subject = distinguishedName(X509_get_subject_name(shown));
  made->issuer = distinguishedName(X509_get_issuer_name(shown));
  made->names = namesOf(*shown);
  made->sha256 = digestOf(*shown);
  made->expiresAt = expiryOf(*shown);
  return made->sha256.empty() ? nullptr : std::move(made);
}

} // namespace skillhost::http
