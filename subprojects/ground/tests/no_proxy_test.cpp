// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/no_proxy.hpp"

using namespace skillhost;

TEST_CASE("a list as no_proxy has it exempts a domain with all below it, and nothing else") {
  for (const char *list :
       {"example.org", ".example.org", "localhost, .example.org", "a,,example.org", "*"}) {
    INFO(list);
    CHECK(isProxyExempt("example.org", list));
    CHECK(isProxyExempt("a.example.org", list));
  }
  for (const char *list : {"", ",", "...", "org.example", "ample.org", "a.example.org.", "b, c"}) {
    INFO(list);
    CHECK_FALSE(isProxyExempt("example.org", list));
    CHECK_FALSE(isProxyExempt("a.example.org", list));
  }
  CHECK_FALSE(isProxyExempt("evilexample.org", "example.org"));
  CHECK_FALSE(isProxyExempt(".example.org", "example.org"));
  CHECK(isProxyExempt("127.0.0.1", "localhost 127.0.0.1"));
}
