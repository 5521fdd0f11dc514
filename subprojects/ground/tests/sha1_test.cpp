// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/sha1.hpp"

#include <string>

using namespace skillhost;

TEST_CASE("SHA-1 has the digests of FIPS 180, however the bytes arrive") {
  const auto digest = [](std::initializer_list<std::string_view> parts) {
    Sha1 sum;
    for (const std::string_view part : parts) sum.add(part);
    return hexadecimal(sum.finish());
  };
  CHECK(digest({}) == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  CHECK(digest({"abc"}) == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(digest({"a", "", "bc"}) == "a9993e364706816aba3e25717850c26c9cd0d89d");
}
