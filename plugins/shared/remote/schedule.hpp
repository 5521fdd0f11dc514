// SPDX-License-Identifier: Apache-2.0
// Computes when the remote is asked again.
#pragma once

#include "ground/back_off.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace skillhost::remote {

// Returns the time until the local clock, which is `utcOffset` ahead of UTC, next shows a multiple
// of `interval` since midnight of 1970; for an hour, until the next full hour. Greater than zero,
// at most `interval`.
std::chrono::milliseconds untilNextRefresh(std::chrono::system_clock::time_point now,
                                           std::chrono::milliseconds interval,
                                           std::chrono::seconds utcOffset);
// Returns the offset of this machine at that time.
std::chrono::seconds utcOffsetAt(std::chrono::system_clock::time_point when);

// Longest pause that a remote may demand.
inline constexpr std::chrono::hours maxPause{24};
// Returns the pause for a Retry-After of so many seconds; nothing if there is none.
std::optional<std::chrono::seconds> retryAfterPause(std::int64_t seconds);

inline constexpr BackOffRules failures{std::chrono::seconds(30), std::chrono::hours(1)};
// Returns the pause after a failure, which is never shorter than the remote demands.
std::chrono::seconds nextPause(BackOff &backOff, std::optional<std::chrono::seconds> retryAfter);

// Returns "5 s", "12 min", "3 h" or "2 days".
std::string spanText(std::chrono::seconds span);

} // namespace skillhost::remote
