// SPDX-License-Identifier: Apache-2.0
// What a token says of its own end. Read to ask for a new one in time, never to trust it.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace skillhost {

// When a JWT (RFC 7519) expires; nothing for any other token.
std::optional<std::chrono::system_clock::time_point> expiryOf(std::string_view token);

} // namespace skillhost
