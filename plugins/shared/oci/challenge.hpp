// SPDX-License-Identifier: Apache-2.0
// Reads a registry's demand for a login, `WWW-Authenticate` (RFC 9110, 11.6.1), and the token that
// its authority issues.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::oci {

enum class Scheme : std::uint8_t { none, basic, bearer };

struct Challenge {
  Scheme scheme = Scheme::none;
  std::string realm, service; // for Bearer
};

// Returns the first challenge that is Bearer with a realm, or else Basic. Returns Scheme::none if
// there is neither, or if the header cannot be read.
Challenge readChallenge(std::string_view header);

struct Token {
  std::string text;
  std::chrono::seconds lasts{60};
};
// Reads the answer of the authority: `token` or `access_token`, and `expires_in`. Returns nothing
// if there is no token or if it cannot be part of a header.
std::optional<Token> readToken(std::string_view json);

} // namespace skillhost::oci
