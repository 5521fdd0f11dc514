// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/edit_distance.hpp"

using namespace skillhost;

TEST_CASE("the distance of two words is the same both ways") {
  const auto far = [](std::string_view a, std::string_view b) {
    CHECK(editDistance(a, b) == editDistance(b, a));
    return editDistance(a, b);
  };
  CHECK(far("", "") == 0);
  CHECK(far("", "abc") == 3);
  CHECK(far("search", "search") == 0);
  CHECK(far("serach", "search") == 1); // swapped neighbours
  CHECK(far("kitten", "sitting") == 3);
  CHECK(far("ab", "ba") == 1);
  CHECK(far("ca", "abc") == 3); // no byte is changed twice
}
