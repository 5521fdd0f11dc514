// SPDX-License-Identifier: Apache-2.0
#include "base/http.hpp"
#include "catch2.hpp"

using namespace skillhost;

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
