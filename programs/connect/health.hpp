// SPDX-License-Identifier: Apache-2.0
// `skillhost health` reports whether an HTTP server answers, for service managers and containers.
#pragma once

#include <chrono>
#include <string>

namespace skillhost {

struct HealthQuestion {
  std::string url;         // only its scheme, host and port count
  bool ready = false;      // asks whether something is served, and not only for an answer
  std::string authorities; // PEM file; empty: the system's
  std::chrono::milliseconds connecting;
};

// Returns the exit code: 0 if the server answers with status 200, else 1 with the reason.
int askHealth(const HealthQuestion &question);

} // namespace skillhost
