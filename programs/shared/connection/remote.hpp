// SPDX-License-Identifier: Apache-2.0
// The server at the other end: whether it is there, and what is sent with every exchange.
#pragma once

#include "answer.hpp"
#include "connection/settings.hpp"
#include "http_client.hpp"
#include "reconnection.hpp"
#include "token_source.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace skillhost {

// One thread.
class Remote {
public:
  using Clock = std::chrono::steady_clock;
  using Number = HttpClient::Number;

  // `changed` as for TokenSource. Throws std::runtime_error.
  Remote(const ConnectSettings &settings, std::function<void()> changed);

  // Whether to ask now. While it is away only one exchange at a time finds out.
  bool ready();
  // When to look again, unless something ends before.
  Clock::time_point nextTry() const noexcept { return nextTry_; }
  // Only when ready. Post: `body` is not empty.
  Number ask(const char *method, HttpFields fields, std::string body, Answer::Listener listener);
  void stop(Number number);
  void pause(bool paused) { client_.pause(paused); }
  void work(std::chrono::milliseconds most, int wake) { client_.work(most, wake); }
  // After a 401: whether to ask once more.
  bool renewToken();
  // Why it has not been asked, or not answered: a sentence for whoever waits.
  std::string trouble();

private:
  void reached();
  // `what` failed: the server, or what brings the token.
  void away(const std::string &what, std::string why);

  const ConnectSettings settings_;
  TokenSource tokens_;
  HttpClient client_;
  BackOff backoff_{reconnection};
  std::string token_, trouble_;
  bool lacksToken_ = false; // that is the trouble, and not the server
  Clock::time_point nextTry_ = Clock::time_point::min();
  Number probe_ = 0;
};

} // namespace skillhost
