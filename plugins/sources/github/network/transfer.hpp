// SPDX-License-Identifier: Apache-2.0
// Sends one HTTP request through libcurl and reads the answer while it arrives. Only one thread may
// use it.
//
// Certificates are verified (TLS 1.2 and newer), redirects are not followed, and addresses that
// the rules do not allow are never contacted, whatever name led there.
#pragma once

#include "http_client/exchange.hpp"
#include "remote/operation.hpp"
#include "remote/schedule.hpp"

#include <string>
#include <vector>

namespace skillhost::github {

// Rules for every request of a source.
struct HttpRules {
  std::string host; // in the operator's spelling: lower case, an IPv6 literal in brackets
  std::string caFile, agent;
  bool allowPrivateAddresses = false;
};

struct HttpRequest {
  using Authentication = web::Request::Authentication;

  std::string url;
  std::string where; // address for messages, without secret and query
  std::vector<std::string> headers{};
  Authentication authentication = Authentication::None;
  std::string user{}, secret{}; // for Basic; Bearer only uses the secret
  bool isPost = false;
  bool mayBeCompressed = false; // the answer may be compressed; limits count unpacked bytes
};

// Throws skh::Error, and RemoteError if the server fails.
class Transfer {
public:
  // `rules` and `operation` must outlive it.
  Transfer(web::Connections &connections, const HttpRules &rules, remote::Operation &operation,
           HttpRequest request);

  // Adds to the body of a post. Must be called before any other function.
  void write(std::string_view bytes);
  // Sends the request and waits for the head of the answer. Returns its status.
  long awaitHead();
  // Parts of the answer, valid after awaitHead().
  std::string header(const char *name) const { return exchange_.field(name); }
  std::string target() const { return exchange_.redirect(); }
  std::optional<std::chrono::seconds> retryAfter() const {
    return remote::retryAfterPause(exchange_.retryAfter());
  }
  // Returns at least one byte of the body, or 0 at the end.
  std::size_t read(char *into, std::size_t maxBytes);

  bool isSent() const noexcept { return sent_; }
  const std::string &where() const noexcept { return request_.where; }

private:
  void send();
  void proceed();
  void finish();

  web::Connections &connections_;
  const HttpRules &rules_;
  remote::Operation &operation_;
  HttpRequest request_;
  bool sent_ = false, done_ = false;
  std::string body_;
  std::string received_;
  std::size_t consumed_ = 0; // read bytes of received_
  web::Exchange exchange_;   // last, because it uses all members above
};

} // namespace skillhost::github
