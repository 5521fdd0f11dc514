// SPDX-License-Identifier: Apache-2.0
// Sends one body to the collector and returns the result.
#pragma once

#include "exporter.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::telemetry {

struct Delivery {
  long status = 0;    // HTTP status; 0 if there was no answer
  std::string reason; // why there was no answer; contains nothing that was sent
  std::string body;   // beginning of the answer's body
  std::optional<std::chrono::seconds> retryAfter;
};

// One thread.
class Sender {
public:
  // `cancelled` is called several times a second during a request, which ends if it returns true.
  // The settings must outlive the sender.
  Sender(const Settings &settings, std::function<bool()> cancelled);
  ~Sender();
  Sender(const Sender &) = delete;
  Sender &operator=(const Sender &) = delete;

  // Sends to `path` after the endpoint, such as "/v1/traces". The first call loads libcurl, which
  // takes as long as the rest of a start. Without libcurl, the result has no answer and a reason.
  Delivery send(std::string_view path, const std::string &body);

private:
  struct Handle;

  const Settings &settings_;
  const std::function<bool()> cancelled_;
  std::unique_ptr<Handle> handle_; // null until send() is called
};

} // namespace skillhost::telemetry
