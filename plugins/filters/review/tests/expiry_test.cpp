// SPDX-License-Identifier: Apache-2.0
// Tests the end of a decision as people write it.
#include "catch2.hpp"
#include "ground/time_reading.hpp"
#include "ground/time_text.hpp"
#include "review/expiry.hpp"

using namespace skillhost;

TEST_CASE("an expiry is a moment, a day or a span, and not over") {
  const std::int64_t now = *timeFromText("2026-07-28T09:30:00Z");
  CHECK(*readExpiry("90d", now) == now + 90 * 86'400);
  CHECK(*readExpiry("12h", now) == now + 12 * 3'600);
  CHECK(*readExpiry("5m", now) == now + 300);
  CHECK(*readExpiry("4w", now) == now + 28 * 86'400);
  CHECK(timeText(*readExpiry("2026-07-28", now)) == "2026-07-29T00:00:00Z");
  CHECK(*readExpiry("2026-07-28T09:30:01Z", now) == now + 1);
  for (const char *wrong :
       {"", "d", "0d", "-1d", "1y", "1.5d", "d1", "99999d", "tomorrow", "2026-07-28x"}) {
    INFO(wrong);
    CHECK_FALSE(readExpiry(wrong, now));
  }
  CHECK(readExpiry("9999-12-31T23:59:59Z", now));
  CHECK(timeFromText(timeText(*readExpiry("9999-12-30", now))));
  CHECK(readExpiry("9999-12-31", now).failure().message.find("without an end") !=
        std::string::npos);
  CHECK(readExpiry("2026-07-27", now).failure().message.find("is in the past") !=
        std::string::npos);
}
