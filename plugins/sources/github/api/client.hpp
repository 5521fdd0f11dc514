// SPDX-License-Identifier: Apache-2.0
// Requests to GitHub's REST API about one repository. Only one thread may use it.
//
// The token is sent to the origin of the API only. At most three redirects are followed: on the
// same origin, for example after a repository was renamed, and for an archive to any https address,
// because archives are stored elsewhere.
#pragma once

#include "budget.hpp"

#include "network/transfer.hpp"

#include <memory>

namespace skillhost::github {

struct ApiAccess {
  std::string url;        // URL of the API, without a trailing '/'
  std::string repository; // "/repos/owner/name"
  std::string token;      // may be empty
  HttpRules rules;
};

struct ApiRequest {
  std::string path;          // path below the repository, "/git/trees/…"
  std::string accept;        // media type
  std::string match{};       // entity tag: the answer may be "not modified"
  std::uint64_t maxBytes{0}; // limit of the body
  bool mayBeCompressed = false;
};

struct ApiAnswer {
  long status = 0; // 200, 304, 404, 409, 422 or 451
  std::string body, tag;
};

// All functions throw skh::Error, and RemoteError if the API fails or takes no more requests.
class ApiClient {
public:
  // All arguments must outlive it.
  ApiClient(const ApiAccess &access, Budget &budget, remote::Operation &operation);

  // Tries failed connections and faults of the server (5xx) up to three times.
  ApiAnswer get(const ApiRequest &request);
  // Reads one answer while it arrives: `part` returns the next bytes, or none at the end. If the
  // request is repeated, `use` is called again and must start over.
  void stream(const ApiRequest &request,
              const std::function<void(const std::function<std::string_view()> &part)> &use);

  // New path of a moved repository, as the API names it, or "".
  const std::string &movedTo() const noexcept { return movedTo_; }
  std::uint64_t requests() const noexcept { return requests_; } // number of requests sent

private:
  void retried(const std::function<void()> &body);
  std::unique_ptr<Transfer> open(const ApiRequest &request, bool isArchive, long &status);
  HttpRequest compose(const ApiRequest &request, const std::string &url) const;
  std::string follow(const ApiRequest &request, const std::string &from, const Transfer &transfer,
                     bool isArchive);
  [[noreturn]] void refuse(long status, Transfer &transfer);
  ApiAnswer once(const ApiRequest &request);
  void pause(std::chrono::milliseconds span);

  const ApiAccess &access_;
  Budget &budget_;
  remote::Operation &operation_;
  web::Connections connections_; // keeps the connection open between requests
  std::string repository_, movedTo_;
  std::uint64_t requests_ = 0;
};

} // namespace skillhost::github
