// SPDX-License-Identifier: Apache-2.0
// An HTTPS client for plugins that ask a provider: one request, one bounded answer, in time.
//
// Certificates are verified (TLS 1.2 and newer). Redirects are not followed, no proxy is taken from
// the environment, no content encoding is accepted, no cookie is kept. http:// is spoken to this
// machine alone. A request says which trace its call belongs to (traceparent, tracestate).
#pragma once

#include <skillhost/plugin.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::http {

struct Options {
  std::string caFile;    // PEM, in place of the system's certificates; empty: the system's
  std::string userAgent; // of every request
  std::size_t mostBytes = std::size_t{1} << 20U; // of an answer's body
  std::chrono::milliseconds connectLimit{5'000};
  std::chrono::milliseconds totalLimit{30'000}; // the call's own deadline counts when it is sooner
};

// What the form says is overwritten when the request goes.
struct Request {
  ~Request();

  std::string url;
  // Sent by POST as application/x-www-form-urlencoded when it is not empty; else GET.
  std::vector<std::pair<std::string, std::string>> form;
  // Basic authentication, when there is a user: both already encoded as the receiver wants them.
  std::string user, password;
};

struct Response {
  long status = 0;
  std::string body;
};

// Keeps connections open between requests, at most four. Any thread, several at once.
class Client {
public:
  explicit Client(Options options);
  ~Client();
  Client(const Client &) = delete;
  Client &operator=(const Client &) = delete;

  // Throws skh::Error: SKH_CANCELLED within 50 ms of the call being cancelled, SKH_UNAVAILABLE when
  // there is no answer in time, no connection, no valid certificate, or too large an answer;
  // SKH_INVALID for an address that web::isAllowedUrl() refuses. Messages name the address without
  // its query and never what was sent. Any status is an answer.
  Response send(const skh::Call &call, const Request &request);

private:
  class Idle;
  std::unique_ptr<Idle> idle_;
};

} // namespace skillhost::http
