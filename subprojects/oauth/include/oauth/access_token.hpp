// SPDX-License-Identifier: Apache-2.0
// An access token (RFC 6750), and the time at which to fetch the next one.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

struct AccessToken {
  std::string text;
  std::optional<std::chrono::system_clock::time_point> expires;
};

// Returns true if the text is a valid token that fits into a header.
bool isToken(std::string_view text) noexcept;

// Returns the expiry of a JWT (RFC 7519), and nothing for any other token. This only serves to
// fetch a new one in time, never to trust a token.
std::optional<std::chrono::system_clock::time_point> expiryOf(std::string_view token);

// Returns the time at which to fetch the next token, if this one was fetched at `now`: a minute
// before its end, or at its end if that is near. The end is the provider's word, or else that of
// the token itself; without both, the result is the end of time.
std::chrono::system_clock::time_point renewalOf(const AccessToken &token,
                                                std::chrono::system_clock::time_point now);

} // namespace skillhost
