// SPDX-License-Identifier: Apache-2.0
#include "ground/text.hpp"

#include "catch2.hpp"

using namespace skillhost;

TEST_CASE("each way to trim has its own blanks") {
  constexpr std::string_view text = "\n\r\t a \t\r\n b \t\r\n";
  CHECK(trimmedSpacesAndTabs(text) == text); // line ends enclose the blanks
  CHECK(trimmedSpacesAndTabs("\t a\r \t") == "a\r");
  CHECK(trimmedLine("\t a \r") == "a");
  CHECK(trimmedLine("a\n ") == "a\n");
  CHECK(trimmedAsciiSpace(text) == "a \t\r\n b");
  CHECK(trimmedAsciiSpace("\v a \f") == "\v a \f");
  CHECK(trimmedOf("--a-", "-") == "a");
  for (const char *blank : {"", " ", " \t "}) {
    CHECK(trimmedSpacesAndTabs(blank).empty());
    CHECK(trimmedLine(blank).empty());
    CHECK(trimmedAsciiSpace(blank).empty());
  }
}

TEST_CASE("only the letters of ASCII change to lower case") {
  CHECK(asciiLowered("AZaz09@[`{\xC3\x84") == "azaz09@[`{\xC3\x84");
  CHECK(asciiLowered('Q') == 'q');
}
