// SPDX-License-Identifier: Apache-2.0
#include "tls.hpp"

#include "../limit.hpp"

#include "ground/authorities.hpp"

#include <arpa/inet.h>

#include <array>
#include <new>
#include <system_error>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace skillhost::valkey {
namespace {

// Returns the text of this thread's oldest error and discards the others.
std::string tlsReason() {
  const unsigned long error = ERR_get_error();
  ERR_clear_error();
  // OpenSSL has no text for system errors such as a missing file.
  if (error != 0 && ERR_SYSTEM_ERROR(error))
    return std::generic_category().message(ERR_GET_REASON(error));
  const char *const reason = error == 0 ? nullptr : ERR_reason_error_string(error);
  return reason == nullptr ? "no reason is given" : reason;
}

[[noreturn]] void refuseSetting(const std::string &key, const std::string &file) {
  throw skh::Error(SKH_INVALID, key + ": " + file + ": " + tlsReason());
}

bool isNumeric(const std::string &host) {
  std::array<unsigned char, sizeof(in6_addr)> binary{};
  return ::inet_pton(AF_INET, host.c_str(), binary.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), binary.data()) == 1;
}

int noPassPhrase(char * /*buffer*/, int /*size*/, int /*writing*/, void * /*data*/) { return 0; }

void trust(SSL_CTX *context, const std::string &authorities) {
  if (!authorities.empty()) {
    if (SSL_CTX_load_verify_locations(context, authorities.c_str(), nullptr) != 1)
      refuseSetting("ca_file", authorities);
    return;
  }
  const std::string instead = authoritiesInstead(X509_get_default_cert_file());
  if (instead.empty() ? SSL_CTX_set_default_verify_paths(context) != 1
                      : SSL_CTX_load_verify_locations(context, instead.c_str(), nullptr) != 1)
    refuseSetting("ca_file", "the system's authorities cannot be read");
}

} // namespace

void TlsContext::Free::operator()(SSL_CTX *context) const noexcept { SSL_CTX_free(context); }
void TlsSession::Free::operator()(SSL *session) const noexcept { SSL_free(session); }

TlsContext::TlsContext(const TlsSettings &settings)
    : context_(SSL_CTX_new(TLS_client_method())), serverName_(settings.serverName) {
  if (context_ == nullptr) throw std::bad_alloc();
  SSL_CTX *const context = context_.get();
  ERR_clear_error();
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  // Refuses a key with a pass phrase, because nobody can be asked for it.
  SSL_CTX_set_default_passwd_cb(context, &noPassPhrase);
  trust(context, settings.authorities);
  if (settings.certificate.empty()) return;
  if (SSL_CTX_use_certificate_chain_file(context, settings.certificate.c_str()) != 1)
    refuseSetting("client_certificate", settings.certificate);
  if (SSL_CTX_use_PrivateKey_file(context, settings.key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context) != 1)
    refuseSetting("client_key", settings.key);
}

TlsContext::~TlsContext() = default;

TlsSession::TlsSession(const TlsContext &context, const std::string &host)
    : session_(SSL_new(context.context_.get())),
      host_(context.serverName_.empty() ? host : context.serverName_) {
  BIO *const in = BIO_new(BIO_s_mem());
  BIO *const out = BIO_new(BIO_s_mem());
  if (session_ == nullptr || in == nullptr || out == nullptr) {
    BIO_free(in);
    BIO_free(out);
    throw std::bad_alloc();
  }
  SSL *const session = session_.get();
  SSL_set_bio(session, in, out); // takes ownership of both
  SSL_set_connect_state(session);
  // A name goes into the greeting (SNI), but an address must not (RFC 6066). Both are checked
  // against the certificate.
  X509_VERIFY_PARAM *const rules = SSL_get0_param(session);
  // The macro for SNI contains a C cast.
  const bool isSet = isNumeric(host_) ? X509_VERIFY_PARAM_set1_ip_asc(rules, host_.c_str()) == 1
                                      : SSL_set1_host(session, host_.c_str()) == 1 &&
                                            SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME,
                                                     TLSEXT_NAMETYPE_host_name, host_.data()) == 1;
  if (!isSet) fail("cannot be asked for by TLS");
  SSL_set_hostflags(session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
}

TlsSession::~TlsSession() = default;

void TlsSession::fail(const char *what) const {
  const long verdict = SSL_get_verify_result(session_.get());
  if (verdict == X509_V_OK) throw ConnectionLost(host_ + " " + what + ": " + tlsReason());
  ERR_clear_error();
  throw ConnectionLost(host_ + " " + what +
                       ": its certificate is refused: " + X509_verify_cert_error_string(verdict));
}

bool TlsSession::shakeHands() {
  ERR_clear_error();
  const int done = SSL_do_handshake(session_.get());
  if (done == 1) return true;
  if (SSL_get_error(session_.get(), done) != SSL_ERROR_WANT_READ) fail("refuses TLS");
  return false;
}

void TlsSession::received(std::string_view bytes) {
  if (BIO_write(SSL_get_rbio(session_.get()), bytes.data(), static_cast<int>(bytes.size())) !=
      static_cast<int>(bytes.size()))
    throw std::bad_alloc();
}

void TlsSession::encrypt(std::string_view plain) {
  ERR_clear_error();
  std::size_t written = 0;
  // Writing into memory always takes all bytes.
  if (SSL_write_ex(session_.get(), plain.data(), plain.size(), &written) != 1 ||
      written != plain.size())
    fail("breaks off TLS");
}

void TlsSession::decrypt(std::string_view bytes, std::string &plain) {
  received(bytes);
  std::array<char, 16'384> part; // NOLINT(*-member-init): only what was written is read
  while (true) {
    ERR_clear_error();
    std::size_t size = 0;
    const int got = SSL_read_ex(session_.get(), part.data(), part.size(), &size);
    if (got == 1) {
      plain.append(part.data(), size);
      continue;
    }
    const int why = SSL_get_error(session_.get(), got);
    if (why == SSL_ERROR_WANT_READ) return;
    // An announced end is reported after the bytes before it have been read.
    if (why == SSL_ERROR_ZERO_RETURN && !plain.empty()) return;
    if (why == SSL_ERROR_ZERO_RETURN) throw ConnectionLost(host_ + " has ended the connection");
    fail("breaks off TLS");
  }
}

std::string TlsSession::toSend() {
  char *data = nullptr;
  BIO *const out = SSL_get_wbio(session_.get());
  const long size = BIO_get_mem_data(out, &data);
  std::string bytes(data, static_cast<std::size_t>(size));
  static_cast<void>(BIO_reset(out));
  return bytes;
}

} // namespace skillhost::valkey
