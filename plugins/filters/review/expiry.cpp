// SPDX-License-Identifier: Apache-2.0
#include "review/expiry.hpp"

#include "ground/time_reading.hpp"

#include <string>

namespace skillhost {
namespace {

constexpr std::int64_t daySeconds = 86'400;
// 9999-12-31T23:59:59Z, because a year has four digits.
constexpr std::int64_t lastMoment = 253'402'300'799;

std::optional<std::int64_t> expiryOf(std::string_view text, std::int64_t now) noexcept {
  if (const auto moment = timeFromText(text)) return moment;
  if (const auto day = dayFromText(text)) return *day + daySeconds;
  if (const auto span = spanFromText(text)) return now + *span;
  return std::nullopt;
}

} // namespace

Result<std::int64_t> readExpiry(std::string_view text, std::int64_t now) {
  const std::optional<std::int64_t> moment = expiryOf(text, now);
  const std::string shown(text.substr(0, 100));
  if (!moment)
    return {Fault::InvalidInput, "expected a time such as 2027-01-31T12:00:00Z, a day such as "
                                 "2027-01-31, or a span such as 90d, 12h or 30m, found \"" +
                                     shown + '"'};
  if (*moment > lastMoment)
    return {
        Fault::InvalidInput,
        "\"" + shown +
            "\" is after 9999-12-31T23:59:59Z: for a decision without an end, leave the end out"};
  if (*moment <= now) return {Fault::InvalidInput, "\"" + shown + "\" is in the past"};
  return *moment;
}

} // namespace skillhost
