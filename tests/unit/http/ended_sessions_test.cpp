// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ended_sessions.hpp"

#include <string>

using namespace skillhost;

namespace {

constexpr std::int64_t now = 1'000, until = 2'000;

void end(EndedSessions &ended, const std::string &share, int count) {
  for (int i = 0; i < count; ++i) ended.add(share + std::to_string(i), until + i, now, share);
}

} // namespace

TEST_CASE("one share ends an eighth of the sessions, all of them as many as there is room for") {
  EndedSessions ended(32);
  end(ended, "a", 3);
  CHECK(ended.hasRoom("a", now));
  end(ended, "a", 4);
  CHECK_FALSE(ended.hasRoom("a", now));
  CHECK(ended.hasRoom("b", now));
  for (const char *share : {"b", "c", "d", "e", "f", "g", "h"}) end(ended, share, 4);
  CHECK_FALSE(ended.hasRoom("i", now));
  CHECK(ended.contains("a0"));
  CHECK(ended.contains("h3"));
  // Each entry is removed when its id is too old.
  CHECK(ended.hasRoom("a", until));
  CHECK(ended.hasRoom("i", until));
  CHECK_FALSE(ended.contains("a0"));
}

TEST_CASE("the end of a session at another replica is taken over in any case") {
  EndedSessions ended(8);
  end(ended, "a", 1);
  CHECK_FALSE(ended.hasRoom("a", now));
  for (int i = 0; i < 9; ++i) ended.add("other " + std::to_string(i), until + 9, now);
  CHECK(ended.contains("other 8"));
  // An id that was forgotten for lack of room is refused, too.
  CHECK(ended.mayContain("a0", until));
  CHECK_FALSE(ended.mayContain("another", until + 99));
}
