// SPDX-License-Identifier: Apache-2.0
#include "ground/time_reading.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <system_error>

namespace skillhost {
namespace {

constexpr std::int64_t secondsOfHour = 3'600, secondsOfDay = 24 * secondsOfHour;

struct SpanUnit {
  char letter;
  std::int64_t seconds;
};
constexpr std::array spanUnits{SpanUnit{'m', 60}, SpanUnit{'h', secondsOfHour},
                               SpanUnit{'d', secondsOfDay}, SpanUnit{'w', 7 * secondsOfDay}};

// Removes exactly `digits` digits from the start and returns their value; -1 if they are missing.
int takeDigits(std::string_view &text, std::size_t digits) noexcept {
  if (text.size() < digits) return -1;
  int number = 0;
  for (const char c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return -1;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(digits);
  return number;
}

bool takeMark(std::string_view &text, char mark) noexcept {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(1);
  return true;
}

// Leaves in `text` what follows the day.
std::optional<std::int64_t> takeDate(std::string_view &text) noexcept {
  const int year = takeDigits(text, 4);
  if (year < 1970 || !takeMark(text, '-')) return std::nullopt;
  const int month = takeDigits(text, 2);
  if (month < 0 || !takeMark(text, '-')) return std::nullopt;
  const int day = takeDigits(text, 2);
  if (day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() * secondsOfDay;
}

} // namespace

std::optional<std::int64_t> timeFromText(std::string_view text) noexcept {
  const std::optional<std::int64_t> day = takeDate(text);
  if (!day || !takeMark(text, 'T')) return std::nullopt;
  const int hours = takeDigits(text, 2);
  if (hours < 0 || hours > 23 || !takeMark(text, ':')) return std::nullopt;
  const int minutes = takeDigits(text, 2);
  if (minutes < 0 || minutes > 59 || !takeMark(text, ':')) return std::nullopt;
  const int seconds = takeDigits(text, 2);
  if (seconds < 0 || seconds > 59 || text != "Z") return std::nullopt;
  return *day + hours * secondsOfHour + minutes * 60 + seconds;
}

std::optional<std::int64_t> dayFromText(std::string_view text) noexcept {
  const std::optional<std::int64_t> day = takeDate(text);
  return text.empty() ? day : std::nullopt;
}

std::optional<std::int64_t> spanFromText(std::string_view text) noexcept {
  constexpr std::int64_t most = 36'525;
  if (text.empty()) return std::nullopt;
  const std::string_view digits = text.substr(0, text.size() - 1);
  std::int64_t count = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size() || count < 1 ||
      count > most)
    return std::nullopt;
  for (const SpanUnit &unit : spanUnits)
    if (unit.letter == text.back()) return count * unit.seconds;
  return std::nullopt;
}

std::int64_t secondsNow() noexcept {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

std::int64_t millisecondsNow() noexcept {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace skillhost
