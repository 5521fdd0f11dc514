// SPDX-License-Identifier: Apache-2.0
// What a plugin says, on its way to the log. Whatever it says: one line each, cut to a length, and
// only so many in a time; how many were dropped is said every second.
#pragma once

#include "base/log.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

constexpr std::size_t longestPluginLine = 4000; // bytes

class PluginLog {
public:
  // A second's worth is added each second, up to the burst.
  struct Limits {
    double lines = 100, burstLines = 1000;
    double bytes = 64 << 10, burstBytes = 256 << 10;
  };
  // Lines are of the log's part `part`, the instance's name, and begin with `prefix`; `who` names
  // the speaker where some are dropped.
  PluginLog(std::string part, std::string prefix, std::string who, log::Audience audience)
      : PluginLog(std::move(part), std::move(prefix), std::move(who), audience, Limits()) {}
  PluginLog(std::string part, std::string prefix, std::string who, log::Audience audience,
            Limits limits);
  // Says what was dropped since it was said last.
  ~PluginLog();
  PluginLog(const PluginLog &) = delete;
  PluginLog &operator=(const PluginLog &) = delete;

  // Any thread.
  void write(LogLevel level, std::string_view text) noexcept;

private:
  class State; // the timer has a share in it
  const std::shared_ptr<State> state_;
};

} // namespace skillhost
