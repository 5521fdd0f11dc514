// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "moment.hpp"

using namespace skillhost;

TEST_CASE("a moment is a span back from now, a day or a time of it") {
  constexpr std::int64_t now = 1'800'000'000'000;
  CHECK(*usageMoment("30m", now) == now - 1'800'000);
  CHECK(*usageMoment("12h", now) == now - 43'200'000);
  CHECK(*usageMoment("7d", now) == now - 604'800'000);
  CHECK(*usageMoment("4w", now) == now - 2'419'200'000);
  CHECK(*usageMoment("1970-01-02", now) == 86'400'000);
  CHECK(*usageMoment("2026-07-28", now) == 1'785'196'800'000);
  CHECK(*usageMoment("2026-07-28T09:30:05Z", now) == 1'785'196'800'000 + 34'205'000);
}

TEST_CASE("anything else is refused, with what to write") {
  for (const char *wrong : {"",
                            "7",
                            "d",
                            "7y",
                            "-7d",
                            "7 d",
                            "99999999999d",
                            "2026-13-01",
                            "2026-02-30",
                            "2026-07-28T",
                            "2026-07-28T25:00:00Z",
                            "2026-07-28T09:30:00",
                            "yesterday",
                            "2026- 7-28",
                            "+026-07-28",
                            "2026-07-28T09:30:60Z",
                            "0d",
                            "2026-07-28T09:30:00Zx",
                            "20260728",
                            "\x1b[31m"}) {
    const auto moment = usageMoment(wrong, 0);
    CAPTURE(wrong);
    REQUIRE_FALSE(moment);
    CHECK(moment.failure().fault == Fault::InvalidInput);
    CHECK(moment.failure().message.find("7d") != std::string::npos);
    CHECK(moment.failure().message.find('\x1b') == std::string::npos);
  }
}
