// SPDX-License-Identifier: Apache-2.0
// TLS over bytes: what is to be sent goes in plain and comes out encrypted, and the reverse; the
// socket is somebody else's. The other side is held to its certificate and its name.
#pragma once

#include <skillhost/plugin.hpp>

#include <memory>
#include <string>
#include <string_view>

#include <openssl/types.h>

namespace skillhost::valkey {

struct TlsSettings {
  std::string authorities;      // a PEM file; empty: the system's
  std::string certificate, key; // of this client, PEM files; empty: none
  std::string serverName;       // to hold the certificate to; empty: the host of the address
};

// Any thread, once it is made.
class TlsContext {
public:
  // Throws skh::Error(SKH_INVALID), naming the key of the configuration.
  explicit TlsContext(const TlsSettings &settings);
  ~TlsContext();
  TlsContext(const TlsContext &) = delete;
  TlsContext &operator=(const TlsContext &) = delete;

private:
  friend class TlsSession;
  struct Free {
    void operator()(SSL_CTX *context) const noexcept;
  };
  std::unique_ptr<SSL_CTX, Free> context_;
  std::string serverName_;
};

// One thread at a time. Everything throws Lost when the other side breaks the protocol, or is not
// who it should be.
class TlsSession {
public:
  TlsSession(const TlsContext &context, const std::string &host);
  ~TlsSession();
  TlsSession(const TlsSession &) = delete;
  TlsSession &operator=(const TlsSession &) = delete;

  // Goes on with the handshake. True: it is done.
  bool shakeHands();
  void encrypt(std::string_view plain);
  // What has come from the socket. Decrypted as far as it goes, behind `plain`.
  void decrypt(std::string_view received, std::string &plain);
  void received(std::string_view bytes); // during the handshake
  // What the socket has to send now; empty: nothing.
  std::string toSend();

private:
  [[noreturn]] void fail(const char *what) const;

  struct Free {
    void operator()(SSL *session) const noexcept;
  };
  std::unique_ptr<SSL, Free> session_;
  std::string host_;
};

} // namespace skillhost::valkey
