// SPDX-License-Identifier: Apache-2.0
#include "ground/hexadecimal.hpp"

#include "catch2.hpp"

#include <array>

using namespace skillhost;

TEST_CASE("digits are read in either case, and written in lower case") {
  std::array<unsigned char, 4> bytes{};
  REQUIRE(readHexadecimal("00fFA09a", bytes));
  CHECK(bytes == std::array<unsigned char, 4>{0x00, 0xff, 0xa0, 0x9a});
  CHECK(hexadecimal(bytes) == "00ffa09a");
  CHECK(readHexadecimal("", {}));
}

TEST_CASE("what is not two digits for each byte is not read") {
  std::array<unsigned char, 2> bytes{};
  for (const char *const text : {"", "00f", "00ff0", "00ff00", "00fg", "0x0f", " 0ff", "00f "})
    CHECK_FALSE(readHexadecimal(text, bytes));
}
