// SPDX-License-Identifier: Apache-2.0
// A client that speaks TLS and believes every certificate; and certificates for it to believe.
#pragma once

#include "raw_client.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace skillhost::http_test {

class TlsClient {
public:
  enum class Version { Any, Tls11, Tls12 };
  // Sends `before` in the clear. Throws when there is no handshake.
  explicit TlsClient(const std::string &endpoint, Version version = Version::Any,
                     std::string_view before = {});
  ~TlsClient();
  TlsClient(const TlsClient &) = delete;
  TlsClient &operator=(const TlsClient &) = delete;

  std::string subject() const; // the common name in the server's certificate
  void send(std::string_view bytes);
  std::string until(std::string_view text);
  bool ended();                          // the server has closed, in an orderly way
  void finish();                         // says that it sends nothing more, and reads on
  void cut() const { socket_.finish(); } // the same without a word of TLS

private:
  struct Session;
  RawClient socket_;
  std::unique_ptr<Session> session_;
  std::string received_;
};

// Of a name, signed by itself; PEM.
void writeCertificate(const std::string &name, const std::string &certificateFile,
                      const std::string &keyFile);

} // namespace skillhost::http_test
