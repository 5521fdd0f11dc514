// SPDX-License-Identifier: Apache-2.0
// Fetches files of the web, several at once. Only one thread may use it.
//
// Certificates are verified (TLS 1.2 and newer). Only the origins in the rules are contacted, also
// after redirects, of which at most three are followed. The token and the trace are only sent to
// the first origin. Addresses that the rules do not allow are never contacted, whatever name led
// there. Content encodings are not accepted, so the received bytes are the file. For https, a proxy
// of the environment is used (https_proxy, no_proxy).
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
  // Origins as web::readWebAddress() writes them. The first gets the token. http:// is only used
  // for origins listed with it.
  std::vector<std::string> origins;
  std::string token; // sent as "Authorization: Bearer …"; "": none
  std::string caFile, agent;
  bool allowPrivateAddresses = false;
  std::chrono::seconds stallTimeout{
      30}; // after this time, less than 256 bytes per second is too slow
};

struct FetchRequest {
  std::string url;        // absolute
  std::string etag;       // etag of the present copy; "": there is none
  std::uint64_t maxBytes; // limit of the body
};

// The result of a request: a status with its body, or the reason why there is none.
struct Fetched {
  int status = 0; // 200, 304 or another final status; 0: no answer
  std::string body, etag;
  std::string failure;      // "" for status 200 and 304; otherwise it names the address
  bool isTemporary = false; // a later request may succeed: network trouble, a busy or broken server
  std::optional<std::chrono::seconds> retryAfter;

  // True if the server asks for a pause.
  bool isBusy() const noexcept { return status == 429 || (status == 503 && retryAfter); }
};

class Fetcher {
public:
  // Throws std::bad_alloc.
  explicit Fetcher(FetchRules rules);
  ~Fetcher();
  Fetcher(const Fetcher &) = delete;
  Fetcher &operator=(const Fetcher &) = delete;

  // Fetches six files at a time and calls `tell` for each as it ends. A busy origin gets no further
  // requests; the rest of its files get the same result. If `tell` throws, everything stops. Throws
  // what the operation throws; files without a result are then abandoned.
  void fetch(const std::vector<FetchRequest> &wanted, Operation &operation,
             const std::function<void(std::size_t which, Fetched fetched)> &tell);

private:
  class Transfer;

  const FetchRules rules_;
  const std::unique_ptr<web::Connections> connections_; // kept between requests
};

} // namespace skillhost::remote
