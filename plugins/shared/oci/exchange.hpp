// SPDX-License-Identifier: Apache-2.0
// One HTTP request to a registry, or to where it sends one, and the whole answer within bounds.
// One thread. Certificates are verified, no redirect is followed, and no address is spoken to that
// the rules do not allow (http_client/exchange.hpp).
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
  // Of the registry as the operator wrote it, "https://host:port": only there an address that is
  // not given out to the world may be asked.
  std::string origin;
  std::string caFile, agent;
  bool allowPrivateAddresses = false;
  std::chrono::seconds quiet{30}; // after which less than 256 bytes a second is too slow
};

struct Ask {
  std::string method = "GET"; // or HEAD, and with a body POST or PUT
  std::string url;
  std::vector<std::string> headers{};
  std::uint64_t mostBytes = 0;            // of the body of an answer that is good
  std::optional<std::string_view> body{}; // what is sent; its bytes outlive the exchange
};

struct Answer {
  long status = 0;
  std::string body; // of another status than 2xx: its beginning
  std::string contentType, contentDigest, link, authenticate;
  std::string location; // absolute; of a redirect, or of what was made
  std::optional<std::chrono::seconds> retryAfter;

  bool isGood() const noexcept { return status >= 200 && status < 300; }
  bool isRedirect() const noexcept { return status >= 301 && status <= 308 && !location.empty(); }
};

// Without its query, which may hold a secret, for messages.
std::string shownUrl(const std::string &url);

// Throws what the operation throws; remote::NetworkError when there is no answer; RemoteError when
// the address may not be asked; ContentError when a good answer has more than `mostBytes`.
Answer exchange(web::Connections &connections, const ExchangeRules &rules,
                remote::Operation &operation, const Ask &ask);

} // namespace skillhost::oci
