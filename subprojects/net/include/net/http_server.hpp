// SPDX-License-Identifier: Apache-2.0
// An HTTP/1.1 server (RFC 9110, RFC 9112) over TCP, TLS and unix sockets. One thread owns every
// connection and calls the handler.
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
  bool local = false; // unreachable from other machines
  bool secure = false;
};

class HttpServer {
public:
  HttpServer(HttpSettings settings, HttpHandler handler);
  ~HttpServer(); // not while run() runs; drops open connections
  HttpServer(const HttpServer &) = delete;
  HttpServer &operator=(const HttpServer &) = delete;

  // Binds every address, which makes the endpoints known and reserves them, and reads the
  // certificate. Clients cannot connect yet, except to sockets that systemd has opened, where they
  // wait. Throws std::runtime_error that names the address or the file, and the fault.
  void bind();
  // Lets clients connect. They are served once run() runs. Call it once, after bind(). Throws like
  // bind().
  void listen();
  // Calls bind() and listen().
  void start() {
    bind();
    listen();
  }
  // The addresses, known after bind(). Port 0 is replaced by the chosen port.
  const std::vector<HttpEndpoint> &endpoints() const noexcept;
  // Sets a `tick` that the thread of all connections calls about every half second, or more often,
  // as long as that thread makes progress. Call it before run().
  void onTick(std::function<void()> tick);
  // Serves on this thread until stop(), and then until the running requests are answered, for at
  // most stopTimeout. Call it once.
  void run();
  // Ends run(). May be called on any thread, at any time, and in a signal handler.
  void stop() noexcept;
  // Reads the certificate and the key again, for future connections. If they are bad, the old ones
  // stay and the failure says why. Only one thread at a time may call it.
  Status reloadCertificates();

private:
  class Inner;
  std::unique_ptr<Inner> inner_;
};

} // namespace skillhost
