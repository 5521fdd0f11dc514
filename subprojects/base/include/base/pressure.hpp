// SPDX-License-Identifier: Apache-2.0
// The fill level of something bounded, in four steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace skillhost {

enum class PressureLevel : std::uint8_t { Low, Medium, High, Critical };

// By size / most: low below 0.70, medium below 0.90, high below 0.97, then critical. A cache with
// the default marks (0.9 and 0.7) moves between low and medium. Without a limit (most 0): low.
constexpr PressureLevel pressureLevel(std::size_t size, std::size_t capacity) noexcept {
  if (capacity == 0) return PressureLevel::Low;
  const double ratio = static_cast<double>(size) / static_cast<double>(capacity);
  if (ratio < 0.70) return PressureLevel::Low;
  if (ratio < 0.90) return PressureLevel::Medium;
  return ratio < 0.97 ? PressureLevel::High : PressureLevel::Critical;
}

constexpr std::string_view name(PressureLevel level) noexcept {
  constexpr std::string_view names[] = {"low", "medium", "high", "critical"};
  return names[static_cast<std::size_t>(level)];
}

} // namespace skillhost
