// SPDX-License-Identifier: Apache-2.0
// Moments as programs and people write them.
#pragma once

#include <cstdint>
#include <string>

namespace skillhost {

// As RFC 3339 writes it, in UTC: "2026-07-28T09:30:00Z". Any thread, no locale.
std::string timeText(std::int64_t unixSeconds);

} // namespace skillhost
