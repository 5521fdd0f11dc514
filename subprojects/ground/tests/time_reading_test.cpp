// SPDX-License-Identifier: Apache-2.0
#include "ground/time_reading.hpp"

#include "catch2.hpp"
#include "ground/time_text.hpp"

using namespace skillhost;

TEST_CASE("a time is read as it is written, and nothing else is one") {
  for (const std::int64_t time :
       {std::int64_t{0}, std::int64_t{1'709'210'096}, std::int64_t{4'102'444'799}})
    CHECK(timeFromText(timeText(time)) == time);
  for (const char *wrong :
       {"", "2024-02-30T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z", "2024-01-01T00:00:00",
        "2024-01-01T00:00:00+01:00", "1969-01-01T00:00:00Z", "2024-1-1T00:00:00Z",
        "2024- 1-01T00:00:00Z", "+024-01-01T00:00:00Z", "2024-01-01T00:00:00Zx"}) {
    INFO(wrong);
    CHECK_FALSE(timeFromText(wrong));
  }
}

TEST_CASE("a day and a span are read whole") {
  CHECK(dayFromText("1970-01-02") == 86'400);
  CHECK(dayFromText("2026-07-28") == 1'785'196'800);
  for (const char *wrong : {"", "2026-7-28", "2026-07-28T", "2026-02-29", " 2026-07-28"})
    CHECK_FALSE(dayFromText(wrong));
  CHECK(spanFromText("30m") == 1'800);
  CHECK(spanFromText("12h") == 43'200);
  CHECK(spanFromText("90d") == 7'776'000);
  CHECK(spanFromText("4w") == 2'419'200);
  for (const char *wrong : {"", "d", "7", "0d", "-1d", "+1d", "1.5d", "1 d", "36526d", "1y", "dd"})
    CHECK_FALSE(spanFromText(wrong));
}
