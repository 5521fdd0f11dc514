// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "mcp_client/event_parser.hpp"

#include <random>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

using Events = std::vector<std::pair<std::string, std::string>>;

struct Heard {
  Events events;
  std::string lastId;
  bool good = true;
};

Heard hear(const std::vector<std::string> &pieces, std::size_t most = 1000) {
  EventParser parser(most);
  Heard heard;
  for (const std::string &piece : pieces)
    heard.good = parser.parse(piece, [&](std::string_view type, std::string_view data) {
      heard.events.emplace_back(type, data);
    });
  heard.lastId = parser.lastId();
  return heard;
}

} // namespace

TEST_CASE("events end with an empty line, whatever lines end with") {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const Heard heard = hear({"event: a" + end + "data: 1" + end + "data:2" + end + end + "data" +
                              end + end + "data: x" + end});
    REQUIRE(heard.events.size() == 2); // the last event is not complete
    CHECK(heard.events[0] == std::pair<std::string, std::string>("a", "1\n2"));
    CHECK(heard.events[1] == std::pair<std::string, std::string>("message", ""));
  }
}

TEST_CASE("CR LF cut in two is one line end") {
  const Heard heard = hear({"data: 1\r", "\n", "data: 2\r", "\n\r", "\n"});
  REQUIRE(heard.events.size() == 1);
  CHECK(heard.events[0].second == "1\n2");
}

TEST_CASE("a mark of the byte order, comments and unknown fields are passed over") {
  const Heard heard = hear({"\xEF\xBB", "\xBF:x\n", ": y\nother: z\ndata:  two\n\n"});
  REQUIRE(heard.events.size() == 1);
  CHECK(heard.events[0].second == " two");
}

TEST_CASE("an id counts with the empty line, even without data") {
  CHECK(hear({"id: 0-0\n\n"}).lastId == "0-0");
  CHECK(hear({"id: 1\n"}).lastId.empty());
  CHECK(hear({"id: 1\n\nid: 2\ndata: x\n"}).lastId == "1");
  CHECK(hear({"id: 1\n\nid\n\n"}).lastId.empty());
  CHECK(hear({"id: 1\n\nid: a", std::string(1, '\0'), "b\n\n"}).lastId == "1");
}

TEST_CASE("retry is a number of milliseconds, or nothing") {
  EventParser parser(100);
  const auto ignore = [](std::string_view, std::string_view) {};
  parser.parse("retry: 20x\n", ignore);
  CHECK(!parser.retry());
  parser.parse("retry: 250\n", ignore);
  CHECK(parser.retry() == std::chrono::milliseconds(250));
  parser.parse("retry: 4000000000\n", ignore);
  CHECK(parser.retry() == std::chrono::hours(1));
}

TEST_CASE("what is too large is refused for good") {
  CHECK_FALSE(hear({std::string(101, 'x')}, 100).good);
  CHECK_FALSE(
      hear({"data: " + std::string(60, 'x') + "\ndata: " + std::string(60, 'x') + "\n"}, 100).good);
  CHECK_FALSE(hear({std::string(101, 'x'), "\n\ndata: 1\n\n"}, 100).good);
  CHECK(hear({"data: " + std::string(90, 'x') + "\n\ndata: " + std::string(90, 'x') + "\n\n"}, 100)
            .good);
}

TEST_CASE("how the bytes are cut makes no difference") {
  std::minstd_rand random(7);
  const std::vector<std::string> parts{"data: {}\n",   "\r",        "\n", "\r\n",  "id: 7",
                                       "event: e\r\n", ":\n",       "d",  "ata: ", "x",
                                       "\xEF\xBB\xBF", "retry: 9\n"};
  for (int round = 0; round < 500; ++round) {
    std::string all;
    for (int i = 0; i < 40; ++i) all += parts[random() % parts.size()];
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t size = 1 + random() % 5;
      pieces.push_back(all.substr(at, size));
      at += size;
    }
    const Heard whole = hear({all}), cut = hear(pieces);
    INFO(all);
    CHECK(whole.events == cut.events);
    CHECK(whole.lastId == cut.lastId);
  }
}
