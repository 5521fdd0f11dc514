// SPDX-License-Identifier: Apache-2.0
// Moments and spans as people and files have them, the other way round than time_text.hpp. Any
// thread, no locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace skillhost {

// "2026-07-28T09:30:00Z" (what timeText() writes) to seconds since 1970; nothing for anything else.
std::optional<std::int64_t> timeFromText(std::string_view text) noexcept;
// "2026-07-28": the second at which that day begins, in UTC.
std::optional<std::int64_t> dayFromText(std::string_view text) noexcept;
// "30m", "12h", "90d" or "4w" in seconds; up to 36,525 of each.
std::optional<std::int64_t> spanFromText(std::string_view text) noexcept;

// Since 1970.
std::int64_t secondsNow() noexcept;
std::int64_t millisecondsNow() noexcept;

} // namespace skillhost
