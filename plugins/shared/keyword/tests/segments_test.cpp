// SPDX-License-Identifier: Apache-2.0
// Tests that results depend only on the present entries, not on the changes that led to them.
#include "entries.hpp"

#include "keyword/merge_policy.hpp"

#include <atomic>
#include <thread>

using namespace skillhost::keyword;
using entries::checkSame;
using entries::freshOf;
using entries::heldBy;

TEST_CASE("puts, removals, commits and merges leave no trace in scores and snippets") {
  std::mt19937 random(7);
  Index index({});
  entries::Held expected;
  for (int round = 0; round < 60; ++round) {
    for (int change = 0; change < 12; ++change) {
      const int number = static_cast<int>(random() % 90);
      if (random() % 3 == 0) {
        index.remove(entries::idOf(number));
        expected.erase(entries::idOf(number));
      } else {
        const int revision = static_cast<int>(random() % 50);
        entries::put(index, number, revision);
        expected[entries::idOf(number)] = std::to_string(revision);
      }
    }
    index.commit(std::to_string(round));
    if (round % 7 == 6) index.waitUntilKept();
    REQUIRE(heldBy(index) == expected);
    if (round % 10 == 9) checkSame(index, *freshOf(expected));
  }
  index.waitUntilKept();
  CHECK(index.snapshot()->segments().size() < 12);
  checkSame(index, *freshOf(expected));
}

TEST_CASE("many removed at once leave no trace either") {
  Index index({});
  for (int number = 0; number < 200; ++number) entries::put(index, number, 1);
  index.commit("1");
  entries::Held expected = heldBy(index);
  for (int number = 0; number < 200; ++number) {
    if (number % 4 == 0) continue;
    index.remove(entries::idOf(number));
    expected.erase(entries::idOf(number));
  }
  index.commit("2");
  checkSame(index, *freshOf(expected));
  index.waitUntilKept(); // rewrites the segment without the removed entries
  REQUIRE(index.snapshot()->segments().size() == 1);
  CHECK(index.snapshot()->segments()[0].segment->size() == 50);
  checkSame(index, *freshOf(expected));
  for (const auto &[id, revision] : expected) index.remove(id);
  index.commit("3");
  index.waitUntilKept();
  CHECK(index.snapshot()->segments().empty());
  CHECK(index.query("air quality", {}, 5).empty());
}

TEST_CASE("more entries than fit into what waits for a segment are one commit") {
  Options options;
  options.similarityWeight = 0; // so that similar numbers are not found
  Index index(options);
  for (int number = 0; number < 5000; ++number)
    index.put({entries::idOf(number),
               "n",
               std::string(4, static_cast<char>('a' + number % 10)),
               {},
               {},
               "1"});
  index.put({entries::idOf(3), "n", "changed", {}, {}, "2"});
  CHECK(index.snapshot()->size() == 0);
  CHECK(index.query("dddd", {}, 5).empty());
  index.commit("1");
  CHECK(index.snapshot()->size() == 5000);
  CHECK(index.query("dddd", {}, 1000).size() == 499);
  CHECK(index.query("changed", {}, 5).size() == 1);
  index.clear();
  entries::put(index, 1, 1);
  index.commit("2");
  CHECK(heldBy(index) == entries::Held{{"id1", "1"}});
  index.waitUntilKept();
  CHECK(heldBy(index) == entries::Held{{"id1", "1"}});
}

TEST_CASE("what is cleared while it is merged does not come back") {
  for (int round = 0; round < 100; ++round) {
    Index index({});
    for (int number = 0; number < 120; ++number) {
      entries::put(index, number, 1);
      if (number % 30 == 29) index.commit(std::to_string(number)); // the last begins a merge
    }
    index.clear();
    entries::put(index, 200, 1);
    index.commit("cleared");
    index.waitUntilKept();
    REQUIRE(heldBy(index) == entries::Held{{"id200", "1"}});
  }
}

TEST_CASE("searches see whole commits while segments are merged") {
  Index index({});
  for (int number = 0; number < 200; ++number) entries::put(index, number, 1);
  index.commit("0");
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&] {
      while (!stop) {
        const auto visible = index.snapshot();
        std::size_t seen = 0;
        visible->forEach([&](std::size_t place) { seen += visible->id(place).empty() ? 0U : 1U; });
        if (seen != 200 || visible->size() != 200) ++wrong;
        if (index.query("release notes", {}, 300).size() != 200) ++wrong;
      }
    });
  }
  for (int change = 0; change < 200; ++change) {
    entries::put(index, change % 200, change);
    index.commit(std::to_string(change));
  }
  index.waitUntilKept();
  stop = true;
  for (std::thread &reader : readers) reader.join();
  CHECK(wrong == 0);
}
