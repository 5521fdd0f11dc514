// SPDX-License-Identifier: Apache-2.0
// An HTTP client for one server. One thread carries many exchanges at once, through the proxy that
// the environment names. It never follows a redirect and never decompresses.
#pragma once

#include "base/http.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

struct HttpHead {
  int status = 0;
  std::string type, session, challenge, location, retryAfter; // location: absolute
};

struct HttpEnd {
  // NeverSent: the server has not seen the request. Broken: it may have. Untrusted: its certificate
  // is not trusted. TooLarge: the receiver refused more bytes.
  enum class Kind : std::uint8_t { Complete, NeverSent, Broken, Untrusted, TooLarge };
  Kind kind = Kind::Complete;
  std::string why; // empty if Complete
};

// Receives one exchange, on the thread of work().
class HttpReceiver {
public:
  virtual ~HttpReceiver() = default;
  virtual void head(const HttpHead &head) = 0;   // once, unless no answer arrives
  virtual bool take(std::string_view bytes) = 0; // false: refuses more bytes
  virtual void end(const HttpEnd &end) = 0;      // once, as the last call
};

struct HttpCall {
  std::string method; // POST, GET or DELETE
  HttpFields fields;
  std::string body;
};

// One thread calls all functions.
class HttpClient {
public:
  struct Settings {
    std::string url, authorities;
    std::chrono::milliseconds connecting; // time limit for connecting
    bool direct = false;                  // ignores proxies
  };
  // Throws std::runtime_error when libcurl cannot start.
  explicit HttpClient(Settings settings);
  ~HttpClient(); // receivers get no further calls
  HttpClient(const HttpClient &) = delete;
  HttpClient &operator=(const HttpClient &) = delete;

  using Number = std::uint64_t; // names an exchange; never 0
  Number start(HttpCall ask, std::shared_ptr<HttpReceiver> receiver);
  // The receiver gets no further calls. An exchange that has ended is ignored.
  void stop(Number number);
  // While true, takes no more bytes from the server.
  void pause(bool paused);
  // Carries the exchanges. Without work it waits for at most `timeout`, or until the descriptor
  // `wake` can be read.
  void work(std::chrono::milliseconds timeout, int wake);

private:
  class Exchanges;
  std::unique_ptr<Exchanges> exchanges_;
};

} // namespace skillhost
