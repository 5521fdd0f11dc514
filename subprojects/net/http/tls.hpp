// SPDX-License-Identifier: Apache-2.0
// TLS 1.2 and 1.3 for a server's connections. Wraps OpenSSL's libssl, which writes with write(2):
// whoever uses it has SIGPIPE ignored.
#pragma once

#include "byte_stream.hpp"
#include "ground/result.hpp"

#include <memory>
#include <mutex>
#include <string>

namespace skillhost::http {

class Tls {
public:
  // PEM files: the server's certificate with those that lead to its root, and its key.
  // `clientAuthorities`: what clients' certificates must be signed by; empty: none is asked for.
  Tls(std::string certificateFile, std::string keyFile, std::string clientAuthorities,
      bool clientCertificateRequired);
  ~Tls();
  Tls(const Tls &) = delete;
  Tls &operator=(const Tls &) = delete;

  // Reads the files for the streams to come. A failure names the file, and changes nothing.
  Status load();
  // `socket` stays its owner's and does not block. nullptr: no memory left. After load().
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
