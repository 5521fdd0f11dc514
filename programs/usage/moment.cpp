// SPDX-License-Identifier: Apache-2.0
#include "moment.hpp"

#include "ground/shown.hpp"
#include "ground/time_reading.hpp"

#include <string>

namespace skillhost {

Result<std::int64_t> usageMoment(std::string_view text, std::int64_t now) {
  constexpr std::int64_t second = 1'000;
  if (const auto span = spanFromText(text)) return now - *span * second;
  if (const auto day = dayFromText(text)) return *day * second;
  if (const auto time = timeFromText(text)) return *time * second;
  return Failure{Fault::InvalidInput,
                 "write a span such as 30m, 12h, 7d or 4w, or a day such as 2026-07-28 or "
                 "2026-07-28T09:30:00Z (UTC), not \"" +
                     shownLine(text.substr(0, 40)) + '"'};
}

} // namespace skillhost
