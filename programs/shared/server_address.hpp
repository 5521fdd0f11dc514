// SPDX-License-Identifier: Apache-2.0
// Where a server over HTTP answers, and what may be sent there: by the same rules when a client's
// file is written and when the connection is made.
#pragma once

#include "app/surroundings.hpp"
#include "base/http.hpp"
#include "commandline/parser.hpp"
#include "ground/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost::app {

struct HttpTarget {
  bool secure = false, loopback = false;
};

// Of a URL whose authority is a host, with or without a port, and nothing else (RFC 3986 §3.2), so
// that no two readers of it differ. Fails on any other, and on a fragment.
Result<HttpTarget> readTarget(const std::string &url);

// What --header gave, blanks around names and values taken off. What may stand there
// checkServer() says.
Result<HttpFields> readHeaderFields(const ParsedArguments &given);

// Returns true if a header field of this name holds a secret.
bool fieldHoldsSecret(std::string_view field);

// Does the same, and looks up ${env:NAME} and ${file:PATH} in the values as the configuration does.
// Fails if one cannot be looked up, and if a field that holds a secret names a variable in another
// way, since the name would be sent. `lookedUp`
// becomes true when a value holds a secret.
Result<HttpFields> readResolvedHeaderFields(const ParsedArguments &given,
                                            const Surroundings &surroundings, bool &lookedUp);

struct ServerToCheck {
  std::string url;
  std::size_t tokens = 0; // how many ways to get a token were given
  HttpFields fields;
  bool fieldsHoldSecret = false; // of whatever name; see readResolvedHeaderFields()
  bool allowPlainToken = false;  // over http:// to another machine
};

// The failure says what to write in place of what is wrong.
Status checkServer(const ServerToCheck &server);

} // namespace skillhost::app
