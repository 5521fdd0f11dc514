// SPDX-License-Identifier: Apache-2.0
#include "tls_client.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cstdio>
#include <stdexcept>

namespace skillhost::http_test {
namespace {

struct Free {
  void operator()(SSL *session) const noexcept { SSL_free(session); }
  void operator()(SSL_CTX *context) const noexcept { SSL_CTX_free(context); }
  void operator()(X509 *certificate) const noexcept { X509_free(certificate); }
  void operator()(EVP_PKEY *key) const noexcept { EVP_PKEY_free(key); }
  void operator()(std::FILE *file) const noexcept { std::fclose(file); }
};

} // namespace

struct TlsClient::Session {
  std::unique_ptr<SSL_CTX, Free> context{SSL_CTX_new(TLS_client_method())};
  std::unique_ptr<SSL, Free> session;
};

TlsClient::TlsClient(const std::string &endpoint, Version version, std::string_view before)
    : socket_(endpoint), session_(std::make_unique<Session>()) {
  socket_.send(before);
  if (version != Version::Any) {
    const int number = version == Version::Tls11 ? TLS1_1_VERSION : TLS1_2_VERSION;
    SSL_CTX_set_min_proto_version(session_->context.get(), number);
    SSL_CTX_set_max_proto_version(session_->context.get(), number);
  }
  const timeval limit{std::chrono::seconds(patience).count(), 0};
  ::setsockopt(socket_.descriptor(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  session_->session.reset(SSL_new(session_->context.get()));
  SSL_set_fd(session_->session.get(), socket_.descriptor());
  ERR_clear_error();
  if (SSL_connect(session_->session.get()) != 1) throw std::runtime_error("no TLS handshake");
}

TlsClient::~TlsClient() = default;

std::string TlsClient::subject() const {
  const std::unique_ptr<X509, Free> certificate(SSL_get1_peer_certificate(session_->session.get()));
  std::array<char, 100> name{};
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name.data(),
                            static_cast<int>(name.size()));
  return name.data();
}

void TlsClient::send(std::string_view bytes) {
  std::size_t sent = 0;
  if (SSL_write_ex(session_->session.get(), bytes.data(), bytes.size(), &sent) != 1)
    throw std::runtime_error("the server does not take it");
}

std::string TlsClient::until(std::string_view text) {
  std::array<char, 16384> buffer;
  std::size_t got = 0, at = 0;
  while ((at = received_.find(text)) == std::string::npos) {
    if (SSL_read_ex(session_->session.get(), buffer.data(), buffer.size(), &got) != 1)
      throw std::runtime_error("the server has closed, or says nothing");
    received_.append(buffer.data(), got);
  }
  std::string all = received_.substr(0, at + text.size());
  received_.erase(0, all.size());
  return all;
}

bool TlsClient::ended() {
  char one = 0;
  std::size_t got = 0;
  const int result = SSL_read_ex(session_->session.get(), &one, 1, &got);
  return received_.empty() && result != 1 &&
         SSL_get_error(session_->session.get(), result) == SSL_ERROR_ZERO_RETURN;
}

void TlsClient::finish() {
  SSL_shutdown(session_->session.get());
  socket_.finish();
}

void writeCertificate(const std::string &name, const std::string &certificateFile,
                      const std::string &keyFile) {
  const std::unique_ptr<EVP_PKEY, Free> key(EVP_EC_gen("P-256"));
  const std::unique_ptr<X509, Free> certificate(X509_new());
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME *const subject = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char *>(name.c_str()), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), subject);
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  const std::unique_ptr<std::FILE, Free> one(std::fopen(certificateFile.c_str(), "w"));
  const std::unique_ptr<std::FILE, Free> two(std::fopen(keyFile.c_str(), "w"));
  if (!one || !two || PEM_write_X509(one.get(), certificate.get()) != 1 ||
      PEM_write_PrivateKey(two.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
    throw std::runtime_error("no certificate could be written");
}

} // namespace skillhost::http_test
