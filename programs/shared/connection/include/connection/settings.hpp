// SPDX-License-Identifier: Apache-2.0
// Where `skillhost connect` leads, and how.
#pragma once

#include "base/http.hpp"
#include "connection/login.hpp"
#include "ground/result.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace skillhost {

// At most one of the four is set; none: no token is sent.
struct TokenSettings {
  std::string variable;               // of the environment
  std::string file;                   // absolute; read again when it changes
  std::string command;                // for /bin/sh; prints the token
  std::optional<LoginSettings> login; // the person signs in, with a browser
};

struct ConnectSettings {
  std::string url; // http or https
  TokenSettings token;
  HttpFields fields;             // further ones for every request
  bool fieldsHoldSecret = false; // one of them, whatever its name
  std::string authorities;       // PEM file of those trusted instead of the system's; empty: those
  bool allowPlainToken = false;  // over http:// to another machine
  // How long a connection may take, and a request may wait for a server that is away.
  std::chrono::milliseconds patience{15'000};
  // How long `initialize` waits for the server's own words before it is answered in its name.
  std::chrono::milliseconds greeting{250};
  std::size_t maxRequestBytes = 10U << 20U, maxAnswerBytes = 64U << 20U;
  std::string version; // of this program
};

// Checks the URL and what may go there. The failure says what to write.
Status checkConnectSettings(const ConnectSettings &settings);

} // namespace skillhost
