// SPDX-License-Identifier: Apache-2.0
// Performs one request of a Fetcher, from its first address through its redirects. For fetcher.cpp.
#pragma once

#include "fetcher.hpp"

#include "http_client/exchange.hpp"
#include "http_client/web_address.hpp"

#include <cstddef>

namespace skillhost::remote {

class Fetcher::Transfer {
public:
  Transfer(web::Connections &connections, const FetchRules &rules, Operation &operation,
           const FetchRequest &wanted, std::size_t which)
      : rules_(rules), operation_(operation), request_(wanted), index_(which),
        exchange_(connections) {}

  // Begins the request. Returns false if it is not allowed; result() then has the reason.
  bool start();
  bool hasEnded() const noexcept { return exchange_.hasEnded(); }
  // Call it when hasEnded() is true. Returns false if it follows a redirect, so that the transfer
  // goes on; otherwise result() is complete.
  bool finish();

  std::size_t which() const noexcept { return index_; }
  Fetched &result() noexcept { return result_; }

private:
  bool startRequest(const std::string &url); // as start()
  web::Request requestFor(const web::WebAddress &address);
  void setFailure(const std::string &why); // `why` follows the address
  web::Taken take(std::string_view bytes);

  const FetchRules &rules_;
  Operation &operation_;
  const FetchRequest &request_;
  const std::size_t index_;
  std::string where_; // current address, without its query
  int redirects_ = 0;
  bool tooLarge_ = false;
  Fetched result_;
  web::Exchange exchange_; // last, because it uses all members above
};

} // namespace skillhost::remote
