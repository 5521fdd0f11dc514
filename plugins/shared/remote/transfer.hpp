// SPDX-License-Identifier: Apache-2.0
// One request of a Fetcher, from its first address to where redirects lead. For fetcher.cpp.
#pragma once

#include "fetcher.hpp"

#include "guarded_request.hpp"
#include "web_address.hpp"

#include <cstddef>

namespace skillhost::remote {

class Fetcher::Transfer {
public:
  Transfer(CURLM *many, const FetchRules &rules, Operation &operation, const Wanted &wanted,
           std::size_t which)
      : rules_(rules), operation_(operation), wanted_(wanted), which_(which), request_(many) {}

  // Begins to ask; false when it may not be asked, and result() says why.
  bool start();
  // libcurl is done: true when this is the end, false when a redirect is being followed.
  bool finish(CURLcode code);

  CURL *handle() const noexcept { return request_.handle(); }
  std::size_t which() const noexcept { return which_; }
  Fetched &result() noexcept { return result_; }

private:
  bool ask(const std::string &url);
  void prepare(const WebAddress &address);
  bool fail(const std::string &why);
  static std::size_t receive(char *data, std::size_t one, std::size_t size, void *self) noexcept;

  const FetchRules &rules_;
  Operation &operation_;
  const Wanted &wanted_;
  const std::size_t which_;
  std::string where_; // the address that is being asked, without its query
  int followed_ = 0;
  bool tooLarge_ = false;
  Fetched result_;
  GuardedRequest request_; // last: it uses all of the above
};

} // namespace skillhost::remote
