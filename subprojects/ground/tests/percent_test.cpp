// SPDX-License-Identifier: Apache-2.0
#include "ground/percent.hpp"

#include "catch2.hpp"

using namespace skillhost;

TEST_CASE("percent-encoded text is decoded") {
  for (const auto &[text, decoded] :
       {std::pair{"", ""}, {"a+b", "a+b"}, {"%41%6a%6A", "Ajj"}, {"%c3%BC", "\xC3\xBC"}}) {
    CAPTURE(text);
    CHECK(decodePercents(text) == decoded);
    CHECK(decodeStrictPercents(text) == decoded);
  }
}

TEST_CASE("a percent sign without two digits stays, or makes the text wrong") {
  for (const char *text : {"%", "a%", "%4", "%zz", "%-1", "% 1", "100%"}) {
    CAPTURE(text);
    CHECK(decodePercents(text) == text);
    CHECK_FALSE(decodeStrictPercents(text));
  }
  CHECK(decodePercents("%%41") == "%A");
}
