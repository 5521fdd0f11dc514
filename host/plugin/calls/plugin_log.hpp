// SPDX-License-Identifier: Apache-2.0
// Writes a plugin's messages to the log. Each message is one line, cut to a length, and only so
// many are written in a time. A warning gives the number of dropped lines every second.
#pragma once

#include "base/log.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

constexpr std::size_t maxPluginLineBytes = 4000; // bytes

class PluginLog {
public:
  // The amount of one second is added each second, up to the burst.
  struct Limits {
    double lines = 100, burstLines = 1000;
    double bytes = 64 << 10, burstBytes = 256 << 10;
  };
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
