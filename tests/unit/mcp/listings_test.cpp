// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/base64.hpp"
#include "mcp/listings.hpp"

#include <optional>
#include <string>

using namespace skillhost;

namespace {
std::shared_ptr<const Catalogue> catalogue(std::uint64_t generation) {
  return std::make_shared<const Catalogue>(generation, std::vector<CatalogueEntry>{},
                                           std::vector<SourceStatus>{}, std::vector<Finding>{});
}
// A list whose keys are its positions.
ListKeys numbers(std::size_t total) {
  return {total, [](std::size_t i) { return std::to_string(i); },
          [](std::string_view key) -> std::optional<std::size_t> {
            if (key == "gone") return std::nullopt;
            return std::stoul(std::string(key)) + 1;
          }};
}
std::string cursorIn(const std::string &member) {
  const std::size_t colon = member.find(":\"");
  return colon == std::string::npos ? "" : member.substr(colon + 2, member.size() - colon - 3);
}
} // namespace

TEST_CASE("the pages cover everything once") {
  const ListKeys list = numbers(100);
  std::size_t expected = 0;
  std::string cursor;
  int pages = 0;
  do {
    const Result<Page> page = pageAt(list, cursor, 30);
    REQUIRE(page);
    CHECK(page->begin == expected);
    expected = page->end;
    cursor = cursorIn(nextCursor(list, *page));
    ++pages;
  } while (!cursor.empty());
  CHECK(expected == 100);
  CHECK(pages == 4);
}

TEST_CASE("a cursor that is not ours is refused") {
  for (const std::string &cursor :
       {std::string("x"), std::string("2-1"), encodeBase64("1"), encodeBase64("1 "),
        encodeBase64("-1 a"), encodeBase64("x a"), encodeBase64("99999999999999999999999 a")})
    CHECK_FALSE(pageAt(numbers(100), cursor, 10));
}

TEST_CASE("a page begins where its entry stood when nothing places that") {
  const auto begin = [](const std::string &cursor) {
    const Result<Page> page = pageAt(numbers(100), encodeBase64(cursor), 10);
    REQUIRE(page);
    return page->begin;
  };
  CHECK(begin("3 7") == 8);
  CHECK(begin("3 gone") == 3);
  CHECK(begin("500 gone") == 100);
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
  // The next generation removes both.
  CHECK(*listings.get(catalogue(2), "a", make) == "3");
  CHECK(*listings.get(mine, "a", make) == "4");
}

TEST_CASE("texts are kept up to a number of bytes, and a larger text alone") {
  Listings listings;
  const auto one = catalogue(1);
  const auto keep = [&](const std::string &key, std::size_t bytes) {
    listings.get(one, key, [&] { return std::string(bytes, 'x'); });
  };
  for (const char *const key : {"a", "b", "c"}) keep(key, 1U << 20U);
  CHECK(listings.find(one, "a"));
  keep("d", 2U << 20U); // 5 MiB together
  CHECK_FALSE(listings.find(one, "a"));
  CHECK(listings.find(one, "d"));
  keep("large", 20U << 20U);
  CHECK(listings.find(one, "large"));
  CHECK_FALSE(listings.find(one, "d"));
  keep("e", 1);
  CHECK_FALSE(listings.find(one, "large"));
}
