// SPDX-License-Identifier: Apache-2.0
// One HTTP request by libcurl and its answer, read while it comes. One thread.
//
// Certificates are verified (TLS 1.2 and newer), redirects are not followed, and no address is
// spoken to that the rules do not allow, whatever name led there.
#pragma once

#include "http_client/exchange.hpp"
#include "remote/operation.hpp"
#include "remote/schedule.hpp"

#include <string>
#include <vector>

namespace skillhost::github {

// What holds for every request of a source.
struct HttpRules {
  std::string host; // as the operator wrote it: lower case, an IPv6 literal in brackets
  std::string caFile, agent;
  bool allowPrivateAddresses = false;
};

struct HttpRequest {
  using Authentication = web::Request::Authentication;

  std::string url;
  std::string where; // in messages: no secret, no query
  std::vector<std::string> headers{};
  Authentication authentication = Authentication::None;
  std::string user{}, secret{}; // of Basic; Bearer has the secret alone
  bool isPost = false;
  bool mayBeCompressed = false; // the answer; bytes count as they are once they are unpacked
};

// Throws skh::Error, RemoteError where the other side is to blame.
class Transfer {
public:
  // `rules` and `operation` outlive it.
  Transfer(web::Connections &connections, const HttpRules &rules, remote::Operation &operation,
           HttpRequest request);

  // More of the body of a post, before anything else.
  void write(std::string_view bytes);
  // Sends the request and waits for the head of the answer: its status.
  long awaitHead();
  // Of the answer, after awaitHead().
  std::string header(const char *name) const { return exchange_.field(name); }
  std::string target() const { return exchange_.redirect(); }
  std::optional<std::chrono::seconds> retryAfter() const {
    return remote::wantedWait(exchange_.retryAfter());
  }
  // At least one byte of the body, or 0 at the end.
  std::size_t read(char *into, std::size_t most);

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
  std::size_t taken_ = 0;  // of received_
  web::Exchange exchange_; // last: it uses all of the above
};

} // namespace skillhost::github
