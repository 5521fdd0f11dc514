// SPDX-License-Identifier: Apache-2.0
#include "base/text_piece.hpp"
#include "catch2.hpp"

#include <string>
#include <string_view>

using namespace skillhost;

TEST_CASE(
    "parts of a text end with a line, cut no character, and take no more room than there is") {
  const auto part = [](std::string_view text, std::size_t offset, std::size_t room) {
    return std::string(pieceOf(text, offset, room).text);
  };
  CHECK(part("one\ntwo\n", 0, 100) == "one\ntwo\n");
  CHECK(part("one\ntwo\nthree", 0, 14) == "one\ntwo\n"); // needs 12 bytes when it is written
  CHECK(part("one\ntwo\nthree", 8, 14) == "three");
  CHECK(part("\"\"\"\"\"\"", 0, 8) == "\"\"\"");
  CHECK(part("\xE2\x82\xAC\xE2\x82\xAC", 0, 7) == "\xE2\x82\xAC");
  CHECK(pieceOf("\xE2\x82\xAC\xE2\x82\xAC", 4, 100).begin == 3); // inside the second character
  CHECK(part("\xE2\x82\xACx", 0, 0) == "\xE2\x82\xAC");          // a part is never empty
  CHECK(part("abc", 7, 100).empty());
  CHECK(part("", 0, 100).empty());
}
