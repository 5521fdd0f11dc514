// SPDX-License-Identifier: Apache-2.0
// Where the bearer token comes from (RFC 6750), and when it is to be had anew.
#pragma once

#include "connection/settings.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace skillhost {

// One thread; a command and a sign-in run on another.
class TokenSource {
public:
  // `changed` is called, on any thread, when a command or a sign-in has ended.
  TokenSource(TokenSettings settings, std::function<void()> changed);
  ~TokenSource(); // ends the command or the sign-in
  TokenSource(const TokenSource &) = delete;
  TokenSource &operator=(const TokenSource &) = delete;

  // The token; empty: none is to be sent. Nothing: it is about to come. A failure says why
  // there is none; the next call tries again.
  std::optional<Result<std::string>> current();
  // The server refused `token`: whether there is, or may soon be, another.
  bool renew(const std::string &token);
  // What a person has to do before there is one; empty: nothing.
  std::string waitingFor();

private:
  using Clock = std::chrono::system_clock;
  Result<std::string> fromFile();
  void run();
  Result<AccessToken> fromCommand();
  void learn(const Result<AccessToken> &token);

  const TokenSettings settings_;
  const std::function<void()> changed_;
  std::optional<Login> login_;
  std::string refused_;              // the token that the server took last, and takes no more
  std::optional<std::string> token_; // that is good as far as we know
  Clock::time_point renewAt_ = Clock::time_point::max();
  std::string lastRedacted_;

  std::mutex mutex_; // for what the thread shares
  std::optional<Result<AccessToken>> come_;
  std::string address_; // for the person to open
  bool running_ = false;
  int stop_ = -1; // eventfd that ends what runs
  std::thread thread_;
};

// Whether a text can be a token, and stand in a header.
bool isToken(std::string_view text) noexcept;

} // namespace skillhost
