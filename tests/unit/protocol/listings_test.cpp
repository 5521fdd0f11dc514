// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "listings.hpp"

#include <set>

using namespace skillhost;

namespace {
std::shared_ptr<const Catalogue> catalogue(std::uint64_t generation) {
  return std::make_shared<const Catalogue>(generation, std::vector<CatalogueEntry>{},
                                           std::vector<SourceStatus>{}, std::vector<Finding>{});
}
std::string cursorIn(const std::string &member) {
  const std::size_t colon = member.find(":\"");
  return colon == std::string::npos ? "" : member.substr(colon + 2, member.size() - colon - 3);
}
} // namespace

TEST_CASE("the pages cover everything once") {
  const auto now = catalogue(42);
  std::size_t expected = 0;
  std::string cursor;
  int pages = 0;
  do {
    const Result<Page> page = pageAt(*now, cursor, 30, 100);
    REQUIRE(page);
    CHECK(page->begin == expected);
    expected = page->end;
    cursor = cursorIn(nextCursor(*now, *page));
    ++pages;
  } while (!cursor.empty());
  CHECK(expected == 100);
  CHECK(pages == 4);
}

TEST_CASE("a cursor that is not ours, or of another catalogue, is refused") {
  const auto now = catalogue(2);
  const Result<Page> first = pageAt(*catalogue(1), "", 10, 100);
  const std::string older = cursorIn(nextCursor(*catalogue(1), *first));
  CHECK(pageAt(*catalogue(1), older, 10, 100));
  for (const std::string &cursor :
       {older, std::string("x"), std::string("2-"), std::string("2-0"), std::string("2-ffff"),
        std::string("2-1x"), std::string("-1"), std::string("2-fffffffffffffffff")})
    CHECK_FALSE(pageAt(*now, cursor, 10, 100));
}

TEST_CASE("a text is made once for a catalogue, and anew for the next") {
  Listings listings;
  int made = 0;
  const auto make = [&] { return std::to_string(++made); };
  const auto one = catalogue(1), two = catalogue(2);
  CHECK(*listings.get(one, "a", make) == "1");
  CHECK(*listings.get(one, "a", make) == "1");
  CHECK(*listings.get(one, "b", make) == "2");
  CHECK(*listings.get(two, "a", make) == "3");
  CHECK(*listings.get(one, "a", make) == "4");
  CHECK(*listings.get(two, "a", make) == "3");
}

TEST_CASE("what two callers see of one generation is kept apart, and both at once") {
  Listings listings;
  int made = 0;
  const auto make = [&] { return std::to_string(++made); };
  const auto mine = catalogue(1), yours = catalogue(1);
  CHECK(*listings.get(mine, "a", make) == "1");
  CHECK(*listings.get(yours, "a", make) == "2");
  CHECK(*listings.get(mine, "a", make) == "1");
  CHECK(*listings.get(yours, "a", make) == "2");
  // The next generation pushes out both.
  CHECK(*listings.get(catalogue(2), "a", make) == "3");
  CHECK(*listings.get(mine, "a", make) == "4");
}
