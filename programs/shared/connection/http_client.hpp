// SPDX-License-Identifier: Apache-2.0
// HTTP from the asking side: many exchanges at once with one server, carried by one thread, through
// the proxy that the environment names. Never follows a redirect, never undoes a compression.
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
  // NeverSent: the server has not seen it. Broken: it may have. Untrusted: its certificate is not
  // to be trusted. TooLarge: the receiver wanted no more.
  enum class Kind : std::uint8_t { Complete, NeverSent, Broken, Untrusted, TooLarge };
  Kind kind = Kind::Complete;
  std::string why; // unless Complete
};

// Hears one exchange, on the thread of work().
class HttpReceiver {
public:
  virtual ~HttpReceiver() = default;
  virtual void head(const HttpHead &head) = 0;   // once, unless nothing comes
  virtual bool take(std::string_view bytes) = 0; // false: no more
  virtual void end(const HttpEnd &end) = 0;      // once, last
};

struct HttpAsk {
  std::string method; // POST, GET or DELETE
  HttpFields fields;
  std::string body;
};

// All functions on one thread.
class HttpClient {
public:
  struct Settings {
    std::string url, authorities;
    std::chrono::milliseconds connecting; // how long that may take
    bool direct = false;                  // past any proxy
  };
  // Throws std::runtime_error when libcurl cannot start.
  explicit HttpClient(Settings settings);
  ~HttpClient(); // receivers hear nothing more
  HttpClient(const HttpClient &) = delete;
  HttpClient &operator=(const HttpClient &) = delete;

  using Number = std::uint64_t; // names an exchange; never 0
  Number start(HttpAsk ask, std::shared_ptr<HttpReceiver> receiver);
  // Its receiver hears nothing more. One that has ended is no matter.
  void stop(Number number);
  // Takes no more bytes from the server until false.
  void pause(bool paused);
  // Carries what can be carried, or waits for `most`, or until `wake` (a descriptor) can be read.
  void work(std::chrono::milliseconds most, int wake);

private:
  class Exchanges;
  std::unique_ptr<Exchanges> exchanges_;
};

} // namespace skillhost
