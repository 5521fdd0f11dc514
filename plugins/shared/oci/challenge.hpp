// SPDX-License-Identifier: Apache-2.0
// What a registry wants to know of who asks: `WWW-Authenticate` (RFC 9110, 11.6.1), and the token
// that its authority gives for it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::oci {

enum class Scheme : std::uint8_t { none, basic, bearer };

struct Challenge {
  Scheme scheme = Scheme::none;
  std::string realm, service; // of Bearer
};

// The first of its challenges that is Bearer with a realm, or else Basic; none when there is
// neither, or it cannot be read.
Challenge readChallenge(std::string_view header);

struct Token {
  std::string text;
  std::chrono::seconds lasts{60};
};
// What the authority answers: `token` or `access_token`, `expires_in`. Nothing when there is none
// that may stand in a header.
std::optional<Token> readToken(std::string_view json);

} // namespace skillhost::oci
