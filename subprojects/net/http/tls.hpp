// SPDX-License-Identifier: Apache-2.0
// TLS 1.2 and 1.3 for a server's connections. Wraps OpenSSL's libssl, which writes with write(2),
// so its users must ignore SIGPIPE.
#pragma once

#include "byte_stream.hpp"
#include "ground/result.hpp"

#include <memory>
#include <mutex>
#include <string>

namespace skillhost::http {

class Tls {
public:
  // The parameters are PEM files: the server's certificate with its chain, and its key.
  // `clientAuthorities` must have signed the clients' certificates; empty: no certificate is
  // requested.
  Tls(std::string certificateFile, std::string keyFile, std::string clientAuthorities,
      bool clientCertificateRequired);
  ~Tls();
  Tls(const Tls &) = delete;
  Tls &operator=(const Tls &) = delete;

  // Reads the files for future streams. A failure names the file and changes nothing.
  Status load();
  // Makes a stream; call load() before. The caller keeps the ownership of `socket`, which must not
  // block. Returns nullptr if there is no memory.
  std::unique_ptr<ByteStream> stream(int socket) const;

private:
  class Stream;
  struct Context;
  const std::string certificateFile_, keyFile_, clientAuthorities_;
  const bool required_;
  mutable std::mutex mutex_;
  std::shared_ptr<Context> context_;
};

} // namespace skillhost::http
