// SPDX-License-Identifier: Apache-2.0
// Performs one HTTP request to a registry, or to an address that it names, and reads the whole
// answer within limits. Only one thread may use it. Certificates are verified, redirects are not
// followed, and addresses that the rules do not allow are never contacted
// (http_client/exchange.hpp).
#pragma once

#include "http_client/exchange.hpp"
#include "remote/operation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::oci {

struct ExchangeRules {
  // The registry as the operator wrote it, "https://host:port". Private addresses may only be
  // contacted there.
  std::string origin;
  std::string caFile, agent;
  bool allowPrivateAddresses = false;
  std::chrono::seconds stallTimeout{
      30}; // after this time, less than 256 bytes per second is too slow
};

struct Request {
  std::string method = "GET"; // or HEAD, or with a body POST or PUT
  std::string url;
  std::vector<std::string> headers{};
  std::uint64_t maxBytes = 0;             // limit of the body of a successful answer
  std::optional<std::string_view> body{}; // body to send; its bytes must outlive the exchange
};

struct Answer {
  long status = 0;
  std::string body; // for an error status, only its beginning
  std::string contentType, contentDigest, link, authenticate;
  std::string location; // absolute; of a redirect or of a created resource
  std::optional<std::chrono::seconds> retryAfter;

  bool isGood() const noexcept { return status >= 200 && status < 300; }
  bool isRedirect() const noexcept { return status >= 301 && status <= 308 && !location.empty(); }
};

// Returns the URL for messages, without its query, which may hold a secret.
std::string shownUrl(const std::string &url);

// Throws what the operation throws; remote::NetworkError if there is no answer; RemoteError if the
// address is not allowed; ContentError if a successful answer has more than `maxBytes`.
Answer exchange(web::Connections &connections, const ExchangeRules &rules,
                remote::Operation &operation, const Request &request);

} // namespace skillhost::oci
