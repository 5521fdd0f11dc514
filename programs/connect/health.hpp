// SPDX-License-Identifier: Apache-2.0
// `skillhost health`: whether a server over HTTP answers, for service managers and containers.
#pragma once

#include <chrono>
#include <string>

namespace skillhost {

struct HealthQuestion {
  std::string url;         // of which the scheme, host and port count
  bool ready = false;      // whether something is served, not only whether it answers
  std::string authorities; // PEM file; empty: the system's
  std::chrono::milliseconds connecting;
};

// The exit code: 0 when the server answers with status 200, else 1 with the reason.
int askHealth(const HealthQuestion &question);

} // namespace skillhost
