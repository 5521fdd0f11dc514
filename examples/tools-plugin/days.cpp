// SPDX-License-Identifier: Apache-2.0
#include "days.hpp"

#include <charconv>

namespace {

using namespace std::chrono;

bool isWorkingDay(sys_days day) {
  const weekday which(day);
  return which != Saturday && which != Sunday;
}

template <class Number> bool read(std::string_view text, Number &out) {
  const char *const end = text.data() + text.size();
  const auto done = std::from_chars(text.data(), end, out);
  return done.ec == std::errc{} && done.ptr == end;
}

std::string padded(unsigned number) { return (number < 10 ? "0" : "") + std::to_string(number); }

} // namespace

std::optional<sys_days> readDay(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  int wholeYear = 0;
  unsigned wholeMonth = 0, wholeDay = 0;
  if (!read(text.substr(0, 4), wholeYear) || !read(text.substr(5, 2), wholeMonth) ||
      !read(text.substr(8), wholeDay) || wholeYear < 1000)
    return std::nullopt;
  const year_month_day date{year(wholeYear), month(wholeMonth), day(wholeDay)};
  return date.ok() ? std::optional(sys_days(date)) : std::nullopt;
}

std::string writeDay(sys_days when) {
  const year_month_day date(when);
  return std::to_string(static_cast<int>(date.year())) + '-' +
         padded(static_cast<unsigned>(date.month())) + '-' +
         padded(static_cast<unsigned>(date.day()));
}

long workingDays(sys_days from, sys_days to) {
  if (to < from) return -workingDays(to, from);
  const long weeks = (to - from).count() / 7;
  long count = weeks * 5;
  for (sys_days at = from + days(weeks * 7); at < to; at += days(1))
    count += isWorkingDay(at) ? 1 : 0;
  return count;
}

sys_days afterWorkingDays(sys_days from, long count) {
  // The days after a weekend are counted from the Friday before it.
  while (count > 0 && !isWorkingDay(from)) from -= days(1);
  sys_days at = from + days(count / 5 * 7);
  for (long left = count % 5; left > 0 || !isWorkingDay(at);) {
    at += days(1);
    if (left > 0 && isWorkingDay(at)) --left;
  }
  return at;
}
