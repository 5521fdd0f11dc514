// SPDX-License-Identifier: Apache-2.0
// Days of the Gregorian calendar, as texts of ISO 8601 ("2026-11-22").
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

// Nothing when it is no day.
std::optional<std::chrono::sys_days> readDay(std::string_view text);
std::string writeDay(std::chrono::sys_days day);

// From the one to the other, Saturdays and Sundays left out; negative when `to` is earlier.
long workingDays(std::chrono::sys_days from, std::chrono::sys_days to);
// The day after so many working days.
std::chrono::sys_days afterWorkingDays(std::chrono::sys_days from, long days);
