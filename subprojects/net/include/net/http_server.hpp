// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 (RFC 9110, RFC 9112) over TCP, TLS and unix sockets: one thread owns every connection
// and calls the handler.
#pragma once

#include "base/http.hpp"
#include "ground/result.hpp"
#include "net/http_settings.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

struct HttpEndpoint {
  std::string name;   // "127.0.0.1:7801", "[::1]:7801" or "unix:/run/skillhost.sock"
  bool local = false; // nobody from another machine can reach it
  bool secure = false;
};

class HttpServer {
public:
  HttpServer(HttpSettings settings, HttpHandler handler);
  ~HttpServer(); // not while run() runs; drops what is still open
  HttpServer(const HttpServer &) = delete;
  HttpServer &operator=(const HttpServer &) = delete;

  // Takes every address, so that it is known and nobody else can; no client can connect yet, but to
  // sockets that somebody else has opened (systemd), where they wait. Reads the certificate. Throws
  // std::runtime_error that names the address or the file, and what is wrong.
  void bind();
  // From now on clients may connect; they are served once run() runs. Throws as bind(), after which
  // it comes, once.
  void listen();
  // Both.
  void start() {
    bind();
    listen();
  }
  // What is listened to, since bind(); a port 0 has become the one that was free.
  const std::vector<HttpEndpoint> &endpoints() const noexcept;
  // Calls `tick` on the thread of all connections about every half second, or more often, for as
  // long as that thread gets on with its work. Before run().
  void onTick(std::function<void()> tick);
  // Serves on this thread until stop(), and then until the running requests are answered, for
  // stopTime at most. Once.
  void run();
  // Any thread, any time; safe in a signal handler.
  void stop() noexcept;
  // Reads the certificate and the key again, for connections to come. What was there stays when
  // they are bad; the failure says why. On one thread at a time.
  Status reloadCertificates();

private:
  class Inner;
  std::unique_ptr<Inner> inner_;
};

} // namespace skillhost
