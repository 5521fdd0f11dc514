// SPDX-License-Identifier: Apache-2.0
// Tests how long lists are read.
#include "catch2.hpp"
#include "made_server.hpp"
#include "mcp_client/listing.hpp"

#include <algorithm>
#include <chrono>
#include <string>

using namespace skillhost;

namespace {

// Lists `all` entries in pages of `size`, and counts the pages that it was asked for.
Result<Listing> listed(int all, std::size_t most, int &pages, int size = 10) {
  Conversation conversation = conversationWith([all, size, &pages](const Json &request) {
    ++pages;
    const Json &params = request["params"];
    const int begin =
        params.contains("cursor") ? std::stoi(params["cursor"].get<std::string>()) : 0;
    Json entries = Json::array();
    for (int i = begin; i < std::min(begin + size, all); ++i)
      entries.push_back({{"uri", "skill://s" + std::to_string(i) + "/SKILL.md"}});
    Json result{{"skills", entries}};
    if (begin + size < all) result["nextCursor"] = std::to_string(begin + size);
    return Json{{"result", result}};
  });
  ListingRequest request{"skills/list", "skills", "uri", Json::object()};
  request.mostEntries = most;
  return readListing(conversation, request, Deadline::after(std::chrono::seconds(10)));
}

} // namespace

TEST_CASE("a list is read to its end, or to as many entries as are wanted") {
  int pages = 0;
  const Result<Listing> all = listed(25, 0, pages);
  REQUIRE(all);
  CHECK((all->entries.size() == 25 && !all->isCut && pages == 3));
  pages = 0;
  const Result<Listing> some = listed(100'000, 25, pages);
  REQUIRE(some);
  CHECK((some->entries.size() == 25 && some->isCut && pages == 3));
  pages = 0;
  const Result<Listing> whole = listed(20, 20, pages);
  REQUIRE(whole);
  CHECK((whole->entries.size() == 20 && !whole->isCut && pages == 2));
}

TEST_CASE("a list of more than ten thousand entries is refused unless they are wanted") {
  int pages = 0;
  const Result<Listing> refused = listed(10'001, 0, pages, 100);
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().message == "skills/list: there are more than 10,000 entries");
  const Result<Listing> wanted = listed(10'001, 20'000, pages, 100);
  REQUIRE(wanted);
  CHECK((wanted->entries.size() == 10'001 && !wanted->isCut));
}

TEST_CASE("a list of endless pages is refused") {
  Conversation conversation = conversationWith([next = 0](const Json &) mutable {
    return Json{{"result", {{"skills", Json::array()}, {"nextCursor", std::to_string(++next)}}}};
  });
  const Result<Listing> refused =
      readListing(conversation, {"skills/list", "skills", "uri", Json::object()},
                  Deadline::after(std::chrono::seconds(10)));
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().message == "skills/list: there are more than 1,000 pages");
}
