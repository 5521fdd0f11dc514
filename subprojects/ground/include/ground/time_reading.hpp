// SPDX-License-Identifier: Apache-2.0
// Parses moments and spans, the reverse of time_text.hpp. May be called on any thread; ignores the
// locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace skillhost {

// Parses "2026-07-28T09:30:00Z" (the form of timeText()) to seconds since 1970; nothing for any
// other text.
std::optional<std::int64_t> timeFromText(std::string_view text) noexcept;
// Parses "2026-07-28" to the second at which that day begins in UTC.
std::optional<std::int64_t> dayFromText(std::string_view text) noexcept;
// Parses "30m", "12h", "90d" or "4w" to seconds, with numbers up to 36,525.
std::optional<std::int64_t> spanFromText(std::string_view text) noexcept;

// Time since 1970.
std::int64_t secondsNow() noexcept;
std::int64_t millisecondsNow() noexcept;

} // namespace skillhost
