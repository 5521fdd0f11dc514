// SPDX-License-Identifier: Apache-2.0
// The provider of tokens: finds its endpoint once and sends it requests.
#pragma once

#include "http/client.hpp"
#include "settings.hpp"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::oauth {

// Any thread may use it.
class Provider {
public:
  explicit Provider(const Settings &settings); // `settings` must outlive it

  // The provider's answer about a token, and the endpoint that gave it. ask() throws
  // skh::Error(SKH_UNAVAILABLE) and SKH_CANCELLED.
  struct Answer {
    http::Response response;
    std::string endpoint;
  };
  Answer ask(const skh::Call &call, std::string_view token);

private:
  std::string endpoint(const skh::Call &call);
  std::string discovered(const skh::Call &call);

  const Settings &settings_;
  http::Client client_;
  std::mutex mutex_;
  std::string endpoint_; // empty until it is known
  // While the provider is down, its metadata is only requested again after a pause, and not by
  // every call.
  std::optional<std::chrono::steady_clock::time_point> failedAt_;
  std::string failure_;
};

} // namespace skillhost::oauth
