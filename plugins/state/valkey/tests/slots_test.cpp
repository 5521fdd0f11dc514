// SPDX-License-Identifier: Apache-2.0
// Tests the slots of keys and the answers of nodes about them.
#include "catch2.hpp"
#include "slots.hpp"

using namespace skillhost::valkey;

namespace {

Reply number(std::int64_t value) {
  Reply reply;
  reply.kind = Reply::Kind::Integer;
  reply.integer = value;
  return reply;
}

Reply text(std::string value) {
  Reply reply;
  reply.kind = Reply::Kind::Text;
  reply.text = std::move(value);
  return reply;
}

Reply list(std::vector<Reply> elements) {
  Reply reply;
  reply.kind = Reply::Kind::List;
  reply.elements = std::move(elements);
  return reply;
}

Reply range(std::int64_t first, std::int64_t last, Reply host, std::int64_t port) {
  return list({number(first), number(last), list({std::move(host), number(port), text("id")})});
}

const Address asked{"seed", 7'000};

} // namespace

TEST_CASE("slots are those of the specification") {
  CHECK(slotOf("123456789") == 0x31c3); // the engine's own example of CRC16
  CHECK(slotOf("foo") == 12'182);
  CHECK(slotOf("") == 0);
  CHECK(slotOf("{user1000}.following") == slotOf("{user1000}.followers"));
  CHECK(slotOf("{user1000}.following") == slotOf("user1000"));
  CHECK(slotOf("foo{}{bar}") != slotOf("bar")); // an empty tag does not count
  CHECK(slotOf("foo{{bar}}zap") == slotOf("{bar"));
  CHECK(slotOf("foo{bar}{zap}") == slotOf("bar"));
  CHECK(slotOf("foo{bar") != slotOf("bar"));
  CHECK(slotOf("\xff\xfe") < slotCount);
}

TEST_CASE("who has which slot is read") {
  const auto map = readSlots(
      list({range(0, 5, text("a"), 1), range(6, 10, text("b"), 2), range(11, 11, text("a"), 1),
            range(12, 12, text(""), 3), range(13, 13, Reply{}, 4), range(14, 14, text("::1"), 5),
            range(15, 15, text("?"), 6)}),
      asked);
  REQUIRE(map);
  CHECK(map->nodes ==
        std::vector<Address>{{"a", 1}, {"b", 2}, {"seed", 3}, {"seed", 4}, {"::1", 5}});
  CHECK(map->owners[0] == 0);
  CHECK(map->owners[10] == 1);
  CHECK(map->owners[11] == 0);
  CHECK(map->owners[15] == SlotMap::nobody);
  CHECK(map->owners[16'383] == SlotMap::nobody);
}

TEST_CASE("what is no map of slots is none") {
  CHECK_FALSE(readSlots(number(1), asked));
  CHECK_FALSE(readSlots(list({}), asked));
  CHECK_FALSE(readSlots(list({number(1)}), asked));
  CHECK_FALSE(readSlots(list({range(0, 16'384, text("a"), 1)}), asked));
  CHECK_FALSE(readSlots(list({range(-1, 3, text("a"), 1)}), asked));
  CHECK_FALSE(readSlots(list({range(4, 3, text("a"), 1)}), asked));
  CHECK_FALSE(readSlots(list({range(0, 1, text("a"), 0)}), asked));
  CHECK_FALSE(readSlots(list({range(0, 1, text("/path"), 1)}), asked));
  std::vector<Reply> many;
  for (std::int64_t i = 0; i < 1'001; ++i) many.push_back(range(i, i, text("a"), i + 1));
  CHECK_FALSE(readSlots(list(std::move(many)), asked));
}

TEST_CASE("redirections are read") {
  const auto moved = readRedirection("MOVED 3999 127.0.0.1:6381", asked);
  REQUIRE(moved);
  CHECK(moved->slot == 3'999);
  CHECK(moved->to == Address{"127.0.0.1", 6'381});
  CHECK(readRedirection("ASK 1 :5", asked)->to == Address{"seed", 5});
  CHECK(readRedirection("MOVED 1 ::1:5", asked)->to == Address{"::1", 5});
  CHECK(readRedirection("MOVED 1 [::1]:5", asked)->to == Address{"::1", 5});
  for (const char *const wrong :
       {"", "MOVED", "MOVED 1", "MOVED 16384 a:1", "MOVED -1 a:1", "MOVED x a:1", "MOVED 1 a",
        "MOVED 1 a:0", "MOVED 1 a:65536", "MOVED 1 /a:1", "MOVED 1 a b:1"}) {
    INFO(wrong);
    CHECK_FALSE(readRedirection(wrong, asked));
  }
}
