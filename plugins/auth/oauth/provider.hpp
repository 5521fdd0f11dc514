// SPDX-License-Identifier: Apache-2.0
// The provider: its endpoint, found once, and what is asked of it.
#pragma once

#include "http/client.hpp"
#include "settings.hpp"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::oauth {

// Any thread.
class Provider {
public:
  explicit Provider(const Settings &settings); // which must outlive it

  // What it says of the token, and who was asked. Throws skh::Error(SKH_UNAVAILABLE),
  // SKH_CANCELLED.
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
  // While the provider is down, its document is asked for by one call in a while, not by each.
  std::optional<std::chrono::steady_clock::time_point> failedAt_;
  std::string failure_;
};

} // namespace skillhost::oauth
