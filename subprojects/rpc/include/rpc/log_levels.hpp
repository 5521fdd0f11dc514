// SPDX-License-Identifier: Apache-2.0
// The levels of log lines, with the names and numbers of the protocol (RFC 5424).
#pragma once

#include "base/log.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace skillhost {

// In the order of their numbers, the gravest first.
inline constexpr std::array<std::string_view, 8> logLevelNames{
    "emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"};
inline constexpr int infoLogLevel = 6;

inline std::optional<int> logLevelNumber(std::string_view name) {
  const auto found = std::find(logLevelNames.begin(), logLevelNames.end(), name);
  if (found == logLevelNames.end()) return std::nullopt;
  return static_cast<int>(found - logLevelNames.begin());
}

inline int logLevelNumber(LogLevel level) noexcept {
  switch (level) {
  case LogLevel::Debug:
    return 7;
  case LogLevel::Info:
    return infoLogLevel;
  case LogLevel::Warning:
    return 4;
  case LogLevel::Error:
    break;
  }
  return 3;
}

} // namespace skillhost
