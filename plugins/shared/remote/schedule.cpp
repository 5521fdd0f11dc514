// SPDX-License-Identifier: Apache-2.0
#include "schedule.hpp"

#include <algorithm>
#include <ctime>

namespace skillhost::remote {

std::chrono::milliseconds untilNextRefresh(std::chrono::system_clock::time_point now,
                                           std::chrono::milliseconds interval,
                                           std::chrono::seconds utcOffset) {
  const auto localTime =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()) + utcOffset;
  // In [0, interval), also for times before 1970.
  const std::chrono::milliseconds sinceLastMultiple =
      ((localTime % interval) + interval) % interval;
  return interval - sinceLastMultiple;
}

std::chrono::seconds utcOffsetAt(std::chrono::system_clock::time_point when) {
  const std::time_t time = std::chrono::system_clock::to_time_t(when);
  std::tm local{};
  return std::chrono::seconds(::localtime_r(&time, &local) == nullptr ? 0 : local.tm_gmtoff);
}

std::optional<std::chrono::seconds> retryAfterPause(std::int64_t seconds) {
  if (seconds <= 0) return std::nullopt;
  return std::min<std::chrono::seconds>(std::chrono::seconds(seconds), maxPause);
}

std::chrono::seconds nextPause(BackOff &backOff, std::optional<std::chrono::seconds> retryAfter) {
  return std::max(std::chrono::ceil<std::chrono::seconds>(backOff.next()),
                  retryAfter.value_or(std::chrono::seconds(0)));
}

std::string spanText(std::chrono::seconds span) {
  const auto count = std::max<std::int64_t>(span.count(), 0);
  if (count < 120) return std::to_string(count) + " s";
  if (count < 7'200) return std::to_string(count / 60) + " min";
  if (count < 172'800) return std::to_string(count / 3'600) + " h";
  return std::to_string(count / 86'400) + " days";
}

} // namespace skillhost::remote
