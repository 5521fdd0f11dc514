// SPDX-License-Identifier: Apache-2.0
#include "base/http.hpp"
#include "catch2.hpp"

using namespace skillhost;

TEST_CASE("a media type is told without regard to case, blanks and parameters") {
  for (const char *field :
       {"application/json", "Application/JSON", "application/json; charset=utf-8",
        "application/json ;charset=utf-8", "  application/json\t"})
    CHECK(mediaTypeOf(field) == "application/json");
  CHECK(mediaTypeOf("application/json5") == "application/json5");
  CHECK(mediaTypeOf("").empty());
  CHECK(mediaTypeOf(" \t ; charset=utf-8").empty());
}

TEST_CASE("an IPv6 client is its /64") {
  CHECK(networkOf("192.0.2.1:80") == "192.0.2.1");
  CHECK(networkOf("[2001:db8:1:2:3:4:5:6]:80") == "2001:db8:1:2::/64");
  CHECK(networkOf("[2001:db8:1:2:ffff::]:80") == "2001:db8:1:2::/64");
  CHECK(networkOf("[2001:db8:1:3::1]:80") == "2001:db8:1:3::/64");
  CHECK(networkOf("[::1]:80") == "[::1]");
  CHECK(networkOf("unix:uid=1000") == "unix:uid=1000");
  CHECK(networkOf("") == "");
  CHECK(networkOf("[no address]:1") == "[no address]");
}
