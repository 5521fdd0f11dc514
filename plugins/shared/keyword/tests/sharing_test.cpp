// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "keyword/index.hpp"

#include <atomic>
#include <thread>

using namespace skillhost::keyword;

// Every commit holds `pairs` entries that all carry the same mark, so a reader that sees two marks,
// or some of the entries, has seen half a commit.
TEST_CASE("eight readers see whole commits while one writer makes them") {
  constexpr int pairs = 6;
  constexpr int commits = 60;
  Index index({});
  const auto write = [&index](int mark) {
    for (int i = 0; i < pairs; ++i) {
      const std::string description = "shared words, mark number" + std::to_string(mark);
      index.put({"id" + std::to_string(i), "entry", description, "a body of text", {}});
    }
    index.commit(std::to_string(mark));
  };
  write(0);
  std::atomic<bool> stop{false};
  std::atomic<int> torn{0};
  std::atomic<int> queries{0};
  std::vector<std::thread> readers;
  readers.reserve(8);
  for (int reader = 0; reader < 8; ++reader) {
    readers.emplace_back([&] {
      do {
        const std::vector<Hit> hits = index.query("shared words", {}, 100);
        bool whole = hits.size() == pairs;
        for (const Hit &hit : hits) whole = whole && hit.snippet == hits.front().snippet;
        if (!whole) ++torn;
        if (index.generation().empty()) ++torn;
        ++queries;
      } while (!stop);
    });
  }
  for (int mark = 1; mark <= commits; ++mark) write(mark);
  stop = true;
  for (std::thread &reader : readers) reader.join();
  CHECK(torn == 0);
  CHECK(queries >= 8);
  CHECK(index.generation() == std::to_string(commits));
}
