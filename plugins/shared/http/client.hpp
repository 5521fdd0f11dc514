// SPDX-License-Identifier: Apache-2.0
// An HTTPS client for plugins that ask a provider. Each request gets one answer of limited size and
// time.
//
// Certificates are verified (TLS 1.2 and newer). It follows no redirects, uses no proxy of the
// environment, accepts no content encoding and keeps no cookies. http:// is only used to this
// machine. A request carries the trace of its call (traceparent, tracestate).
#pragma once

#include <skillhost/plugin.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::http {

struct Options {
  std::string caFile;    // PEM, instead of the system's certificates; empty: the system's
  std::string userAgent; // sent with every request
  std::size_t maxBytes = std::size_t{1} << 20U; // limit of an answer's body
  std::chrono::milliseconds connectLimit{5'000};
  std::chrono::milliseconds totalLimit{30'000}; // an earlier deadline of the call takes precedence
};

// The form is overwritten when the request is destroyed.
struct Request {
  ~Request();

  std::string url;
  // If it is not empty, it is sent by POST as application/x-www-form-urlencoded; otherwise GET is
  // used.
  std::vector<std::pair<std::string, std::string>> form;
  // Basic authentication, if there is a user. Both must be encoded as the receiver expects.
  std::string user, password;
};

struct Response {
  long status = 0;
  std::string body;
};

// Keeps at most four connections open between requests. Any thread may use it, several at once.
class Client {
public:
  explicit Client(Options options);
  ~Client();
  Client(const Client &) = delete;
  Client &operator=(const Client &) = delete;

  // Throws skh::Error: SKH_CANCELLED within 50 ms after the call is cancelled; SKH_UNAVAILABLE if
  // there is no answer in time, no connection, no valid certificate, or a too large answer;
  // SKH_INVALID if web::isAllowedUrl() refuses the address. Messages contain the address without
  // its query, and nothing that was sent. Every status counts as an answer.
  Response send(const skh::Call &call, const Request &request);

private:
  class Idle;
  std::unique_ptr<Idle> idle_;
};

} // namespace skillhost::http
