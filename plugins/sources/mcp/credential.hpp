// SPDX-License-Identifier: Apache-2.0
// The token that requests to the server carry: the configured one, one that a program prints, or
// one that an authorization server gives. A token is used until a minute before its end, or until
// the server refuses it.
#pragma once

#include "settings.hpp"

#include "oauth/client_grant.hpp"
#include "remote/operation.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

namespace skillhost::mcp_source {

// Any thread may call it, several at once; one of them then gets the token for all.
class Credential {
public:
  // `settings` must outlive it. `agent` is the User-Agent.
  Credential(const Settings &settings, std::string agent);
  Credential(const Credential &) = delete;
  Credential &operator=(const Credential &) = delete;

  // Returns the token, "" if none is configured. May wait for a program or for an authorization
  // server. Throws what the operation throws, remote::RefusedError if the token is refused, and
  // remote::RemoteError if it cannot be got now.
  std::string current(remote::Operation &operation);
  // Returns the token in use without waiting; "" if there is none.
  std::string known();
  // Reports that the server does not accept `token`. Returns true if current() gets another one.
  bool refuse(const std::string &token);

private:
  using Clock = std::chrono::system_clock;

  AccessToken fetch(remote::Operation &operation, const std::string &refused);
  AccessToken fetchGrant(remote::Operation &operation, const std::string &refused);
  Result<WebAnswer> ask(remote::Operation &operation, const std::string &url, const WebCall &call,
                        std::optional<std::chrono::seconds> &pause) const;
  bool isNamed(const std::string &host) const;

  const Settings &settings_;
  const std::string agent_;
  std::optional<ClientGrant> grant_; // used by the thread that fetches

  std::mutex mutex_; // protects what follows
  std::condition_variable fetched_;
  bool isFetching_ = false;
  std::string token_;   // "": none is known
  std::string refused_; // the last token that the server refused
  Clock::time_point renewal_ = Clock::time_point::max(), end_ = Clock::time_point::max();
};

} // namespace skillhost::mcp_source
