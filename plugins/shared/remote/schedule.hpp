// SPDX-License-Identifier: Apache-2.0
// When the remote is asked again.
#pragma once

#include "ground/back_off.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace skillhost::remote {

// How long until the clock on the wall, `utcOffset` ahead of UTC, next shows a whole multiple of
// `interval` since midnight of 1970: with an hour, until the hour is full. More than zero, at most
// `interval`.
std::chrono::milliseconds untilNextLook(std::chrono::system_clock::time_point now,
                                        std::chrono::milliseconds interval,
                                        std::chrono::seconds utcOffset);
// Of this machine, at this moment.
std::chrono::seconds utcOffsetAt(std::chrono::system_clock::time_point when);

// No remote may have us wait longer, whatever it says.
inline constexpr std::chrono::hours longestWait{24};
// Returns how long a Retry-After of so many seconds has us wait; nothing for none.
std::optional<std::chrono::seconds> wantedWait(std::int64_t seconds);

inline constexpr BackOffRules failures{std::chrono::seconds(30), std::chrono::hours(1)};
// Returns how long to wait after a failure: never less than the remote wants.
std::chrono::seconds waitAfter(BackOff &failures, std::optional<std::chrono::seconds> retryAfter);

// "5 s", "12 min", "3 h", "2 days".
std::string spanText(std::chrono::seconds span);

} // namespace skillhost::remote
