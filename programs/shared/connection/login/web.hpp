// SPDX-License-Identifier: Apache-2.0
// Sends single requests to an authorization server over HTTP.
#pragma once

#include "connection/login.hpp"
#include "ground/deadline.hpp"
#include "oauth/web.hpp"

#include <chrono>
#include <string>

namespace skillhost {

struct WebRules {
  std::string authorities; // PEM file; empty: the system's
  std::chrono::milliseconds connecting;
  bool allowPlain = false; // allows http:// to another machine
  std::string agent;       // value of User-Agent
  int stop = -1;           // descriptor; waiting ends when it can be read
  // Allows addresses on this machine. Set only if the MCP server is on it, so that the documents of
  // a remote server cannot reach local services.
  bool allowLoopback = false;
};

// Returns the function that sends requests by the rules of a sign-in.
Web webOf(const LoginSettings &settings, int stop);

// Sends one request as oauth/web.hpp describes it. The body of the answer has at most 1 MiB.
// Unavailable: no answer in 30 s. Denied: the address is not allowed, or its certificate is not
// trusted.
Result<WebAnswer> request(const WebRules &web, const std::string &url, WebCall ask);

} // namespace skillhost
