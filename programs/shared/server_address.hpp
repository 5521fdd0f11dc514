// SPDX-License-Identifier: Apache-2.0
// Checks the address of an HTTP server and what may be sent there. The same rules apply when a
// client's file is written and when the connection is made.
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

// Reads a URL whose authority is only a host, with or without a port (RFC 3986 §3.2), so that no
// two readers interpret it differently. Fails on any other authority, and on a fragment.
Result<HttpTarget> readTarget(const std::string &url);

// Reads the fields of --header and trims names and values. checkServer() decides which are allowed.
Result<HttpFields> readHeaderFields(const ParsedArguments &arguments);

// Returns true if a header field of this name holds a secret.
bool fieldHoldsSecret(std::string_view field);

// Does the same, and resolves ${env:NAME} and ${file:PATH} in the values as the configuration does.
// Fails if one cannot be resolved, and if a secret field names a variable in another way, because
// the name itself would be sent. `lookedUp` becomes true if a value holds a secret.
Result<HttpFields> readResolvedHeaderFields(const ParsedArguments &arguments,
                                            const Surroundings &surroundings, bool &lookedUp);

struct ServerToCheck {
  std::string url;
  std::size_t tokens = 0; // number of given token options
  HttpFields fields;
  bool fieldsHoldSecret = false; // whatever their names; see readResolvedHeaderFields()
  bool allowPlainToken = false;  // even over http:// to another machine
};

// The failure says what to write instead.
Status checkServer(const ServerToCheck &server);

} // namespace skillhost::app
