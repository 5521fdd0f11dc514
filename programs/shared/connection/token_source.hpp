// SPDX-License-Identifier: Apache-2.0
// Provides the bearer token (RFC 6750) and decides when to fetch a new one.
#pragma once

#include "connection/settings.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace skillhost {

// One thread calls it; a command and a sign-in run on a second one.
class TokenSource {
public:
  // `changed` is called on any thread when a command or a sign-in has ended.
  TokenSource(TokenSettings settings, std::function<void()> changed);
  ~TokenSource(); // ends the command or the sign-in
  TokenSource(const TokenSource &) = delete;
  TokenSource &operator=(const TokenSource &) = delete;

  // Returns the token; an empty text if none is configured; nothing while it is being fetched. A
  // failure says why there is no token, and the next call tries again.
  std::optional<Result<std::string>> current();
  // Reports that the server refused `token`. Returns true if another one exists or may follow.
  bool renew(const std::string &token);
  // The action that a person has to take before there is a token; empty: none.
  std::string pendingAction();

private:
  using Clock = std::chrono::system_clock;
  Result<std::string> fromFile();
  // Returns true if the token takes time, so that a second thread fetches it.
  bool isFetched() const noexcept { return !settings_.command.empty() || login_ || client_; }
  void run();
  Result<AccessToken> fromCommand();
  void storeToken(const Result<AccessToken> &token);

  const TokenSettings settings_;
  const std::function<void()> changed_;
  std::optional<Login> login_;
  std::optional<ClientGrant> client_;
  std::string refused_;              // the last token, which the server refused
  std::optional<std::string> token_; // the token in use
  Clock::time_point renewAt_ = Clock::time_point::max();
  std::string lastRedacted_;

  std::mutex mutex_; // protects what the threads share
  std::optional<Result<AccessToken>> fetched_;
  std::string address_; // the person has to open it
  bool running_ = false;
  int stop_ = -1; // eventfd that ends the command or the sign-in
  std::thread thread_;
};

} // namespace skillhost
