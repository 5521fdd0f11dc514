// SPDX-License-Identifier: Apache-2.0
// Sends one body to the collector and tells what became of it.
#pragma once

#include "exporter.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::telemetry {

struct Delivery {
  long status = 0;    // of HTTP; 0: there was no answer
  std::string reason; // why there was none, without what was sent
  std::string body;   // of the answer, its beginning
  std::optional<std::chrono::seconds> retryAfter;
};

// One thread.
class Sender {
public:
  // `cancelled` is asked several times a second while a request is under way, and ends it. The
  // settings must outlive the sender.
  Sender(const Settings &settings, std::function<bool()> cancelled);
  ~Sender();
  Sender(const Sender &) = delete;
  Sender &operator=(const Sender &) = delete;

  // To `path` behind the endpoint, such as "/v1/traces". The first call loads libcurl, which takes
  // as long as the rest of a start; without libcurl there is no answer, and a reason.
  Delivery send(std::string_view path, const std::string &body);

private:
  struct Handle;

  const Settings &settings_;
  const std::function<bool()> cancelled_;
  std::unique_ptr<Handle> handle_; // null until send() is called
};

} // namespace skillhost::telemetry
