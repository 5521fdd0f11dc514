// SPDX-License-Identifier: Apache-2.0
#include "tls.hpp"

#include "ground/trusted_path.hpp"
#include "tls_client_certificate.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <utility>

namespace skillhost::http {
namespace {

struct Free {
  void operator()(SSL *session) const noexcept { SSL_free(session); }
  void operator()(SSL_CTX *context) const noexcept { SSL_CTX_free(context); }
};

constexpr std::array<unsigned char, 9> http11{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

// Chooses HTTP/1.1, the only supported protocol, if the client names protocols at all (RFC 7301).
int chooseProtocol(SSL *, const unsigned char **chosen, unsigned char *size,
                   const unsigned char *offered, unsigned int offeredSize, void *) {
  unsigned char *found = nullptr;
  if (SSL_select_next_proto(&found, size, http11.data(), http11.size(), offered, offeredSize) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

std::string firstFault() {
  const unsigned long fault = ERR_peek_error();
  ERR_clear_error();
  const char *const why = ERR_reason_error_string(fault);
  if (why != nullptr) return why;
  return ERR_SYSTEM_ERROR(fault) != 0 ? std::strerror(static_cast<int>(ERR_GET_REASON(fault)))
                                      : "it is not in PEM or is damaged";
}

} // namespace

struct Tls::Context {
  std::unique_ptr<SSL_CTX, Free> context;
};

class Tls::Stream final : public ByteStream {
public:
  Stream(std::shared_ptr<Context> context, std::unique_ptr<SSL, Free> session, int socket)
      : context_(std::move(context)), session_(std::move(session)), socket_(socket) {}

  Moved read(std::span<char> into) override {
    ERR_clear_error();
    return outcome(SSL_read(session_.get(), into.data(), clamp(into.size())));
  }

  // Writes one record. Small pieces are joined, because each record costs a header.
  Moved write(std::span<const iovec> parts) override {
    static thread_local std::array<char, 16U << 10U> record;
    std::size_t size = 0;
    for (const iovec &part : parts) {
      const std::size_t taken = std::min(part.iov_len, record.size() - size);
      std::memcpy(record.data() + size, part.iov_base, taken);
      size += taken;
    }
    ERR_clear_error();
    return outcome(SSL_write(session_.get(), record.data(), clamp(size)));
  }

  void finish() override {
    ERR_clear_error();
    if (SSL_is_init_finished(session_.get()) != 0) SSL_shutdown(session_.get());
    ERR_clear_error();
    ::shutdown(socket_, SHUT_WR);
  }
  bool hasMore() const override { return SSL_has_pending(session_.get()) != 0; }
  bool secure() const noexcept override { return true; }
  std::shared_ptr<const ClientCertificate> certificate() override {
    if (!looked_ && SSL_is_init_finished(session_.get()) != 0) {
      looked_ = true;
      certificate_ = clientCertificate(*session_);
    }
    return certificate_;
  }
  std::string complaint() override { return std::exchange(complaint_, {}); }

private:
  static int clamp(std::size_t size) {
    return static_cast<int>(std::min<std::size_t>(size, INT_MAX));
  }
  Moved outcome(int result) {
    if (result > 0) return {Outcome::Done, static_cast<std::size_t>(result)};
    switch (SSL_get_error(session_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return {Outcome::WaitReadable};
    case SSL_ERROR_WANT_WRITE:
      return {Outcome::WaitWritable};
    case SSL_ERROR_ZERO_RETURN:
      return {Outcome::Ended};
    default:
      complain();
      return {Outcome::Gone};
    }
  }
  // Explains faults that an operator can fix: a missing or invalid certificate, and http:// instead
  // of https://.
  void complain() {
    const long verdict = SSL_get_verify_result(session_.get());
    const int reason = ERR_GET_REASON(ERR_peek_error());
    if (reason == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE)
      complaint_ = "it shows no client certificate";
    else if (reason == SSL_R_HTTP_REQUEST)
      complaint_ = "it speaks plain HTTP, and this port serves TLS: use https://";
    else if (verdict != X509_V_OK)
      complaint_ = std::string("its client certificate: ") + X509_verify_cert_error_string(verdict);
    ERR_clear_error();
  }

  std::shared_ptr<Context> context_; // keeps the certificate for the handshake
  std::unique_ptr<SSL, Free> session_;
  const int socket_;
  bool looked_ = false;
  std::shared_ptr<const ClientCertificate> certificate_;
  std::string complaint_;
};

Tls::Tls(std::string certificateFile, std::string keyFile, std::string clientAuthorities,
         bool clientCertificateRequired)
    : certificateFile_(std::move(certificateFile)), keyFile_(std::move(keyFile)),
      clientAuthorities_(std::move(clientAuthorities)), required_(clientCertificateRequired) {}

Tls::~Tls() = default;

Status Tls::load() {
  ERR_clear_error();
  auto fresh = std::make_shared<Context>();
  fresh->context.reset(SSL_CTX_new(TLS_server_method()));
  SSL_CTX *const context = fresh->context.get();
  if (context == nullptr) return Failure{Fault::Unavailable, "TLS: " + firstFault()};
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF |
                                   SSL_OP_CLEANSE_PLAINTEXT); // wipes tokens from memory
  // An idle connection owns no buffers. The rest of a partial write may have another address.
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // A key with a passphrase is refused, because nobody is there to enter it.
  SSL_CTX_set_default_passwd_cb(context, [](char *, int, int, void *) { return 0; });
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF); // tickets do this without state
  SSL_CTX_set_alpn_select_cb(context, chooseProtocol, nullptr);
  for (const std::string &file : {certificateFile_, keyFile_, clientAuthorities_})
    if (!file.empty())
      if (Status trusted = checkTrusted(file); !trusted) return trusted;
  if (SSL_CTX_use_certificate_chain_file(context, certificateFile_.c_str()) != 1)
    return Failure{Fault::InvalidInput,
                   "the certificate " + certificateFile_ + ": " + firstFault()};
  if (SSL_CTX_use_PrivateKey_file(context, keyFile_.c_str(), SSL_FILETYPE_PEM) != 1)
    return Failure{Fault::InvalidInput, "the key " + keyFile_ + ": " + firstFault()};
  if (SSL_CTX_check_private_key(context) != 1)
    return Failure{Fault::InvalidInput, "the key " + keyFile_ +
                                            " does not belong to the certificate " +
                                            certificateFile_ + ": " + firstFault()};
  if (!clientAuthorities_.empty()) {
    STACK_OF(X509_NAME) *const names = SSL_load_client_CA_file(clientAuthorities_.c_str());
    if (names == nullptr ||
        SSL_CTX_load_verify_locations(context, clientAuthorities_.c_str(), nullptr) != 1)
      return Failure{Fault::InvalidInput,
                     "the client authorities " + clientAuthorities_ + ": " + firstFault()};
    SSL_CTX_set_client_CA_list(context, names); // takes ownership of names
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | (required_ ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
                       nullptr);
    // A resumed session keeps its certificate; OpenSSL requires a context id for that.
    constexpr std::string_view sessions = "skillhost";
    SSL_CTX_set_session_id_context(context,
                                   reinterpret_cast<const unsigned char *>(sessions.data()),
                                   static_cast<unsigned int>(sessions.size()));
  }
  const std::scoped_lock lock(mutex_);
  context_ = std::move(fresh);
  return Done{};
}

std::unique_ptr<ByteStream> Tls::stream(int socket) const {
  std::shared_ptr<Context> context;
  {
    const std::scoped_lock lock(mutex_);
    context = context_;
  }
  std::unique_ptr<SSL, Free> session(SSL_new(context->context.get()));
  if (!session || SSL_set_fd(session.get(), socket) != 1) return nullptr;
  SSL_set_accept_state(session.get());
  return std::make_unique<Stream>(std::move(context), std::move(session), socket);
}

} // namespace skillhost::http
