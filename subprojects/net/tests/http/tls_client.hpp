// SPDX-License-Identifier: Apache-2.0
// A TLS client that accepts every certificate, and a maker of certificates.
#pragma once

#include "raw_client.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace skillhost::http_test {

class TlsClient {
public:
  enum class Version { Any, Tls11, Tls12 };
  // Sends `before` in the clear. Throws if the handshake fails.
  explicit TlsClient(const std::string &endpoint, Version version = Version::Any,
                     std::string_view before = {});
  ~TlsClient();
  TlsClient(const TlsClient &) = delete;
  TlsClient &operator=(const TlsClient &) = delete;

  std::string subject() const; // the common name in the server's certificate
  void send(std::string_view bytes);
  std::string until(std::string_view text);
  bool ended();                          // the server has closed in an orderly way
  void finish();                         // ends the client's side and reads on
  void cut() const { socket_.finish(); } // does the same without a TLS alert

private:
  struct Session;
  RawClient socket_;
  std::unique_ptr<Session> session_;
  std::string received_;
};

// Makes a self-signed certificate for a name, in PEM.
void writeCertificate(const std::string &name, const std::string &certificateFile,
                      const std::string &keyFile);

} // namespace skillhost::http_test
