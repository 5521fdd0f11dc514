// SPDX-License-Identifier: Apache-2.0
// When the remote is asked again.
#pragma once

#include <chrono>
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

// 30 s after a first failure, twice as long after each further one, an hour at most; never sooner
// than the remote wants it (at most a day).
class BackOff {
public:
  std::chrono::seconds failed(std::optional<std::chrono::seconds> retryAfter);
  void succeeded() noexcept { next_ = first; }

private:
  static constexpr std::chrono::seconds first{30}, most{3'600}, longest{86'400};
  std::chrono::seconds next_ = first;
};

// "5 s", "12 min", "3 h", "2 days".
std::string spanText(std::chrono::seconds span);

} // namespace skillhost::remote
