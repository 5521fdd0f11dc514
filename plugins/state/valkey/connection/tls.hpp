// SPDX-License-Identifier: Apache-2.0
// Encrypts and decrypts bytes with TLS; the socket belongs to the caller. The other side must prove
// its certificate and its name.
#pragma once

#include <skillhost/plugin.hpp>

#include <memory>
#include <string>
#include <string_view>

#include <openssl/types.h>

namespace skillhost::valkey {

struct TlsSettings {
  std::string authorities;      // PEM file; empty: the system's authorities
  std::string certificate, key; // PEM files of this client; empty: none
  std::string serverName;       // name required in the certificate; empty: the host of the address
};

// Any thread may use it after construction.
class TlsContext {
public:
  // Throws skh::Error(SKH_INVALID) that names the key of the configuration.
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

// Only one thread at a time may use it. All functions throw ConnectionLost if the other side breaks
// the protocol or has the wrong identity.
class TlsSession {
public:
  TlsSession(const TlsContext &context, const std::string &host);
  ~TlsSession();
  TlsSession(const TlsSession &) = delete;
  TlsSession &operator=(const TlsSession &) = delete;

  // Continues the handshake. Returns true when it is complete.
  bool shakeHands();
  void encrypt(std::string_view plain);
  // Decrypts bytes from the socket as far as possible and appends them to `plain`.
  void decrypt(std::string_view received, std::string &plain);
  void received(std::string_view bytes); // passes bytes from the socket during the handshake
  // Returns the bytes for the socket to send now; empty: none.
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
