// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "commandline/progress_line.hpp"

using skillhost::progressText;

TEST_CASE("a line of progress has a bar when it is known how much there is") {
  CHECK(progressText(0, 4, "x", 80) == "[--------------------]   0 %  x");
  CHECK(progressText(3, 4, "x", 80) == "[###############-----]  75 %  x");
  CHECK(progressText(9, 4, "x", 80) == "[####################] 100 %  x");
  CHECK(progressText(9, 0, "team: fetching", 80) == "team: fetching");
}

TEST_CASE("a line of progress fits, and does nothing to the terminal") {
  CHECK(progressText(1, 0, "a\x1b[2Jb\nc\x7f", 80) == "a\\x1b[2Jb c\\x7f");
  CHECK(progressText(1, 0, "1234567890", 4) == "1234");
  CHECK(progressText(1, 0, "12\xc3\xa4", 3) == "12");
}
