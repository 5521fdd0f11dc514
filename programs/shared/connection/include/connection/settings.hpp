// SPDX-License-Identifier: Apache-2.0
// The settings of a connection to a server: its address, token, trust and limits.
#pragma once

#include "base/http.hpp"
#include "connection/client_grant.hpp"
#include "connection/login.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace skillhost {

// At most one of the five is set; without one, no token is sent.
struct TokenSettings {
  std::string variable;                      // name of an environment variable
  std::string file;                          // absolute; a changed file is read again
  std::string command;                       // shell command that prints the token
  std::optional<LoginSettings> login;        // the person signs in with a browser
  std::optional<ClientGrantSettings> client; // this program signs in as itself
};

struct ConnectSettings {
  std::string url; // http or https
  TokenSettings token;
  HttpFields fields;             // further fields for every request
  bool fieldsHoldSecret = false; // true if any of them is secret, whatever its name
  std::string authorities;       // PEM file that replaces the system's; empty: the system's
  bool allowPlainToken = false;  // even over http:// to another machine
  // Time limit for connecting, and for a request that waits while the server is away.
  std::chrono::milliseconds patience{15'000};
  // Time that `initialize` waits for the server's answer before skillhost answers in its place.
  std::chrono::milliseconds greeting{250};
  std::size_t maxRequestBytes = 10U << 20U, maxAnswerBytes = 64U << 20U;
  std::string version; // of this program
};

// Checks the URL and the token's protection on the way there. The failure says what to write.
Status checkConnectSettings(const ConnectSettings &settings);

} // namespace skillhost
