// SPDX-License-Identifier: Apache-2.0
// Reads when a token expires. This only serves to fetch a new one in time, never to trust a token.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace skillhost {

// Returns the expiry of a JWT (RFC 7519), and nothing for any other token.
std::optional<std::chrono::system_clock::time_point> expiryOf(std::string_view token);

} // namespace skillhost
