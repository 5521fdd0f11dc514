// SPDX-License-Identifier: Apache-2.0
// Requests to GitHub's REST API about one repository. One thread.
//
// The token goes to the origin of the API and to no other. Redirects are followed three times at
// most: on the same origin, as those of a renamed repository, and for an archive, which lies
// elsewhere, to https alone.
#pragma once

#include "budget.hpp"

#include "network/transfer.hpp"

#include <memory>

namespace skillhost::github {

struct ApiAccess {
  std::string url;        // of the API, without a trailing '/'
  std::string repository; // "/repos/owner/name"
  std::string token;      // or ""
  HttpRules rules;
};

struct ApiRequest {
  std::string path;           // below the repository, "/git/trees/…"
  std::string accept;         // the media type
  std::string match{};        // an entity tag: "not modified" will do
  std::uint64_t mostBytes{0}; // of the body
  bool mayBeCompressed = false;
};

struct ApiAnswer {
  long status = 0; // 200, 304, 404, 409, 422 or 451
  std::string body, tag;
};

// All throw skh::Error, RemoteError where the API is to blame or takes no more requests.
class ApiClient {
public:
  // All three outlive it.
  ApiClient(const ApiAccess &access, Budget &budget, remote::Operation &operation);

  // What fails on the way, and what the server calls its own fault (5xx), is tried three times.
  ApiAnswer get(const ApiRequest &request);
  // One answer that is read while it comes: `part` gives the next bytes, none at the end. `use`
  // begins anew when it is tried again.
  void stream(const ApiRequest &request,
              const std::function<void(const std::function<std::string_view()> &part)> &use);

  // Where the repository has moved to, as the API calls it, or "".
  const std::string &movedTo() const noexcept { return movedTo_; }
  std::uint64_t requests() const noexcept { return requests_; } // that were sent

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
  web::Connections connections_; // keeps the connection between two requests
  std::string repository_, movedTo_;
  std::uint64_t requests_ = 0;
};

} // namespace skillhost::github
