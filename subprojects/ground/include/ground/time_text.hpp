// SPDX-License-Identifier: Apache-2.0
// Formats moments for programs and people.
#pragma once

#include <cstdint>
#include <string>

namespace skillhost {

// Returns the moment by RFC 3339 in UTC: "2026-07-28T09:30:00Z". May be called on any thread;
// ignores the locale.
std::string timeText(std::int64_t unixSeconds);

} // namespace skillhost
