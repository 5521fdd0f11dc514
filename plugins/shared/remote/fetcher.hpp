// SPDX-License-Identifier: Apache-2.0
// Files of the web, several at once. One thread.
//
// Certificates are verified (TLS 1.2 and newer). Nobody is asked but the origins that the rules
// name, redirects included, of which at most three are followed. The token goes to the first origin
// and to no other, and so does what names the trace. No address is spoken to that the rules do not
// allow, whatever name led there. Content encodings are not accepted: what is received is what
// stands there. A proxy is taken from the environment (https_proxy, no_proxy) for https.
#pragma once

#include "http_client/connections.hpp"
#include "operation.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace skillhost::remote {

struct FetchRules {
  // As web::readWebAddress() tells them. The first gets the token; http:// only where it stands
  // here.
  std::vector<std::string> origins;
  std::string token; // sent as "Authorization: Bearer …"; "": none
  std::string caFile, agent;
  bool allowPrivateAddresses = false;
  std::chrono::seconds quiet{30}; // after which less than 256 bytes a second is too slow
};

struct Wanted {
  std::string url;         // absolute
  std::string etag;        // of what is there already; "": nothing is
  std::uint64_t mostBytes; // of the body
};

// What became of it: a status with its body, or words that say why there is none.
struct Fetched {
  int status = 0; // 200, 304 or another final one; 0: there was no answer
  std::string body, etag;
  std::string failure;  // "": status 200 or 304; else it names the address
  bool mayPass = false; // the failure: of the network, or the server is busy or broken
  std::optional<std::chrono::seconds> retryAfter;

  // The server wants to be left alone for a while.
  bool isBusy() const noexcept { return status == 429 || (status == 503 && retryAfter); }
};

class Fetcher {
public:
  // Throws std::bad_alloc.
  explicit Fetcher(FetchRules rules);
  ~Fetcher();
  Fetcher(const Fetcher &) = delete;
  Fetcher &operator=(const Fetcher &) = delete;

  // Tells of each, in the order in which they end; six are under way at once. An origin that is
  // busy is asked for nothing more: of the rest that is wanted of it the same is told. What `tell`
  // throws ends it. Throws what the operation throws; what is not told by then is given up.
  void fetch(const std::vector<Wanted> &wanted, Operation &operation,
             const std::function<void(std::size_t which, Fetched fetched)> &tell);

private:
  class Transfer;

  const FetchRules rules_;
  const std::unique_ptr<web::Connections> connections_; // kept between requests
};

} // namespace skillhost::remote
