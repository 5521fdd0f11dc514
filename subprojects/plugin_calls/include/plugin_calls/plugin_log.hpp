// SPDX-License-Identifier: Apache-2.0
// Writes a plugin's messages to the log. Each message is one line, cut to a length, and only so
// many are written in a time. A warning gives the number of dropped lines every second.
#pragma once

#include "base/log.hpp"

#include <skillhost/plugin.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

constexpr std::size_t maxPluginLineBytes = 4000; // bytes

// Converts a level of plugin.h. A value below its levels counts as debugging, one above as an
// error.
inline LogLevel levelOf(int32_t level) noexcept {
  if (level <= SKH_DEBUG) return LogLevel::Debug;
  if (level == SKH_INFO) return LogLevel::Info;
  return level == SKH_WARN ? LogLevel::Warning : LogLevel::Error;
}

// The amount of one second is added each second, up to the burst.
struct LineLimits {
  double lines = 100, burstLines = 1000;
  double bytes = 64 << 10, burstBytes = 256 << 10;
};

// Not for several threads at once.
class LineBudget {
public:
  using Clock = std::chrono::steady_clock;

  LineBudget() : LineBudget(LineLimits()) {}
  explicit LineBudget(const LineLimits &limits)
      : limits_(limits), lines_(limits.burstLines), bytes_(limits.burstBytes) {}
  // Returns true if a line of this many bytes is within the limits, and spends it then.
  bool take(double size, Clock::time_point now);

private:
  LineLimits limits_;
  double lines_, bytes_;
  Clock::time_point seen_ = Clock::now();
};

class PluginLog {
public:
  using Limits = LineLimits;
  // Lines belong to the log's part `part`, the instance's name, and begin with `prefix`. `who`
  // names the plugin in a warning about dropped lines.
  PluginLog(std::string part, std::string prefix, std::string who, log::Audience audience)
      : PluginLog(std::move(part), std::move(prefix), std::move(who), audience, Limits()) {}
  PluginLog(std::string part, std::string prefix, std::string who, log::Audience audience,
            Limits limits);
  // Reports the lines that were dropped since the last report.
  ~PluginLog();
  PluginLog(const PluginLog &) = delete;
  PluginLog &operator=(const PluginLog &) = delete;

  // Any thread.
  void write(LogLevel level, std::string_view text) noexcept;

private:
  class State; // shared with the timer
  const std::shared_ptr<State> state_;
};

} // namespace skillhost
