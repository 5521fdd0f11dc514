// SPDX-License-Identifier: Apache-2.0
// Days of the Gregorian calendar, read and written as texts of ISO 8601 ("2026-11-22").
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

// Returns nothing when `text` is not a day of the years 1000 to 9999.
std::optional<std::chrono::sys_days> readDay(std::string_view text);
std::string writeDay(std::chrono::sys_days day);

// Counts the days from `from` up to but not including `to`, without Saturdays and Sundays. The
// result is negative when `to` is earlier.
long workingDays(std::chrono::sys_days from, std::chrono::sys_days to);
// Returns the working day that is `days` working days after `from`.
std::chrono::sys_days afterWorkingDays(std::chrono::sys_days from, long days);
