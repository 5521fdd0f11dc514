// SPDX-License-Identifier: Apache-2.0
// The bearer token of an HTTP request (RFC 6750 section 2.1, RFC 9110 section 11.6.2).
#pragma once

#include "base/http.hpp"

#include <cstdint>
#include <string_view>

namespace skillhost {

struct Bearer {
  enum class State : std::uint8_t {
    Present,
    Missing,   // no Authorization field, or one of another scheme: 401 without an error code
    Malformed, // 400 invalid_request
    Unset,     // the client sent the name of a variable that is not set: 401
  };
  State state = State::Missing;
  std::string_view token{};  // if present; lives as long as the request
  std::string_view reason{}; // if malformed or unset: for the client, never contains the token
};

// Reads the Authorization field only. A token in the query (access_token=) is malformed, whatever
// the field contains, so that nobody gets used to it.
Bearer bearerOf(const HttpRequest &request);

} // namespace skillhost
