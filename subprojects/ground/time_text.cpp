// SPDX-License-Identifier: Apache-2.0
#include "ground/time_text.hpp"

#include <array>
#include <ctime>

namespace skillhost {

std::string timeText(std::int64_t unixSeconds) {
  const std::time_t time = unixSeconds;
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

} // namespace skillhost
