// SPDX-License-Identifier: Apache-2.0
// The connection to the server. It knows whether the server is reachable, and adds the common
// fields to every exchange.
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

// Used by one thread only.
class Remote {
public:
  using Clock = std::chrono::steady_clock;
  using Number = HttpClient::Number;

  // `changed` works as for TokenSource. Throws std::runtime_error.
  Remote(const ConnectSettings &settings, std::function<void()> changed);

  // Returns true if requests may be sent now. While the server is away, a single exchange probes
  // it.
  bool ready();
  // The time of the next probe, unless an exchange ends earlier.
  Clock::time_point nextTry() const noexcept { return nextTry_; }
  // Starts an exchange. Call it only if ready() returns true. `body` is for a POST; otherwise
  // empty.
  Number start(const char *method, HttpFields fields, std::string body, Answer::Listener listener);
  void stop(Number number);
  void pause(bool paused) { client_.pause(paused); }
  void work(std::chrono::milliseconds timeout, int wake) { client_.work(timeout, wake); }
  // Call it after a 401. Returns true if the request should be sent once more.
  bool renewToken();
  // Returns why the server was not asked or did not answer, as a sentence for the client.
  std::string failureReason();

private:
  void onReachable();
  // Records that `what`, the server or the source of the token, failed.
  void markAway(const std::string &what, std::string why);

  const ConnectSettings settings_;
  TokenSource tokens_;
  HttpClient client_;
  BackOff backoff_{reconnection};
  std::string token_, failure_;
  bool lacksToken_ = false; // the token is missing, not the server
  Clock::time_point nextTry_ = Clock::time_point::min();
  Number probe_ = 0;
};

} // namespace skillhost
