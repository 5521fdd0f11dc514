// SPDX-License-Identifier: Apache-2.0
// Tests a backend that keeps its index: which entries are put again after a restart, a loss and a
// failure.
#include "catch2.hpp"
#include "index_fixture.hpp"
#include "piece_pace.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <utility>

using namespace skillhost;

TEST_CASE("of an index that was kept only what differs is put and read, and what is gone removed") {
  Fixture f;
  f.backend->keepsIndex = true;
  for (const char *id : {"same", "other", "gone"})
    f.backend->entries[id] = {id, "1", "", "", "", ""};
  f.attach();
  CHECK(f.index.progress().committed);
  CHECK(f.index.progress().done == 3);
  f.update({f.one("same", "1"), f.one("other", "2"), f.one("new", "1")}, "g1");
  CHECK(f.source->reads == 2);
  CHECK(f.backend->puts == 2);
  CHECK(f.backend->gone == std::vector<std::string>{"gone"});
  CHECK(f.backend->entries.at("other").revision == "2");
  CHECK(f.backend->lists == 1);
  CHECK(f.index.progress().isComplete);
}

TEST_CASE("a kept index answers before it is brought up to date, and knows its revisions") {
  Fixture f;
  f.backend->keepsIndex = true;
  f.backend->entries["a"] = {"a", "1", "", "", "", ""};
  f.backend->found = {"a"};
  f.backend->keepsLists = true;
  f.update({f.one("a", "1"), f.one("b", "1")}, "g1");
  f.attach();
  std::string revision = "none";
  const auto take = [&](const Result<std::vector<SearchHit>> &hits) {
    revision = hits->front().revision;
  };
  // Before the list arrives the revision is unknown.
  CHECK_FALSE(f.index.progress().committed);
  f.index.query({}, "q", {}, 5, take);
  CHECK(revision.empty());
  f.backend->holdsUpdates = true;
  std::exchange(f.backend->keptLists, {}).front()();
  CHECK(f.index.progress().committed);
  CHECK(f.index.progress().total == 2);
  CHECK(f.index.progress().done == 1);
  CHECK_FALSE(f.index.progress().isComplete); // half of it is missing
  f.index.query({}, "q", {}, 5, take);
  CHECK(revision == "1");
  f.backend->holdsUpdates = false;
  std::exchange(f.backend->keptAnswers, {}).front()(Done{});
  CHECK(f.index.progress().isComplete);
}

TEST_CASE("what was kept stays until all entries have been heard of") {
  Fixture f;
  f.backend->keepsIndex = true;
  for (const char *id : {"early", "late", "gone"})
    f.backend->entries[id] = {id, "1", "", "", "", ""};
  f.attach();
  f.update({}, "g0", false);
  f.update({f.one("early", "1"), f.one("new", "1")}, "g1", false);
  CHECK(f.backend->entries.size() == 4);
  CHECK(f.source->reads == 1);
  f.update({f.one("early", "1"), f.one("new", "1"), f.one("late", "1")}, "g2");
  CHECK(f.backend->gone == std::vector<std::string>{"gone"});
  CHECK(f.source->reads == 1); // kept entries are not put again
  // Later, when a source is new, removed entries go at once.
  f.update({f.one("early", "1"), f.one("new", "1")}, "g3", false);
  CHECK(f.backend->gone == std::vector<std::string>{"late"});
}

TEST_CASE("where the list of what was kept cannot be had everything is put") {
  Fixture f;
  f.backend->listFails = true;
  f.backend->entries["a"] = {"a", "1", "", "", "", ""};
  f.attach();
  CHECK_FALSE(f.index.progress().committed);
  f.update({f.one("a", "1")}, "g1");
  CHECK(f.source->reads == 1);
  CHECK(f.backend->entries.at("a").body == "body of a");
}

TEST_CASE("after a loss the backend is asked what is left, and only the rest is put") {
  Fixture f;
  f.backend->keepsIndex = true;
  const auto wanted = [&f] { return std::vector{f.one("a", "1"), f.one("b", "1")}; };
  f.index.onLost([&] { f.update(wanted(), "g1"); });
  f.attach();
  f.update(wanted(), "g1");
  f.backend->entries.erase("b");
  SECTION("it says so") { f.backend->hint(); }
  SECTION("it says so when it is written to") {
    f.backend->stale = 1;
    f.update(wanted(), "g2");
  }
  CHECK(f.backend->lists == 2);
  CHECK(f.backend->puts == 1);
  CHECK(f.backend->entries.contains("b"));
  CHECK(f.source->reads == 3);
}

TEST_CASE("what an update that failed may have left behind is put again, or removed") {
  Fixture f;
  f.backend->keepsIndex = true;
  f.attach();
  f.update({f.one("a", "1"), f.one("b", "1"), f.one("c", "1")}, "g1");
  // The entry was put and never committed, so the next commit would publish both.
  f.backend->failures = 1;
  f.update({f.one("a", "2"), f.one("b", "1"), f.one("c", "1"), f.one("new", "1")}, "g2");
  f.update({f.one("a", "1"), f.one("b", "1"), f.one("c", "1")}, "g3");
  CHECK(f.backend->puts == 1);
  CHECK(f.backend->gone == std::vector<std::string>{"new"});
  CHECK(f.source->reads == 6);
}

TEST_CASE("a text that could not be read is put again by a later run too") {
  Fixture f;
  f.backend->keepsIndex = true;
  f.source->away = 1;
  f.attach();
  f.update({f.one("a", "1"), f.one("b", "1")}, "g1");
  f.index.stop();
  CHECK(f.backend->entries.at("a").revision.empty());
  CHECK(f.backend->entries.at("b").revision == "1");
}

// The window is a few instructions wide; the number of rounds found the defect every time.
TEST_CASE("an index that is stopped between two steps of an update does no more") {
  for (int round = 0; round < 3000; ++round) {
    Fixture f;
    f.backend->keepsLists = true;
    f.attach();
    f.update({f.one("a", "1")}, std::string(100, 'g'));
    std::atomic<int> ready{0};
    const auto together = [&ready] {
      ++ready;
      while (ready < 2) std::this_thread::yield();
    };
    std::thread stopper([&] {
      together();
      f.index.stop();
    });
    together();
    f.backend->keptLists.at(0)();
    stopper.join();
    f.backend->keptLists.clear(); // the lists hold the index, which holds the backend
    CHECK(f.backend->updates <= 1);
  }
}

TEST_CASE("pieces stay small where a commit does not cost more for what is there already") {
  using std::chrono::microseconds;
  // This pace is that of a backend of segments: 100 microseconds an entry.
  PiecePace even(std::chrono::seconds(15));
  std::size_t largest = 0;
  for (std::size_t there = 0; there < 60'000; there += even.entries()) {
    largest = std::max(largest, even.entries());
    even.pieceDone(microseconds(100 * even.entries()), microseconds(100 * even.entries()));
  }
  CHECK(largest <= 1024);
  // This pace is that of a backend that rebuilds everything with every commit: all commits together
  // cost at most twice as much as one commit of everything.
  PiecePace growing(std::chrono::seconds(15));
  std::size_t there = 0;
  microseconds all{0};
  while (there < 60'000) {
    there += growing.entries();
    const microseconds took(100 * growing.entries() + 30 * there);
    all += took;
    growing.pieceDone(took, took);
  }
  CHECK(all < microseconds(2 * (100 + 30) * 60'000));
  // No piece is made larger than one that took long.
  PiecePace slow(std::chrono::seconds(1));
  slow.pieceDone(std::chrono::seconds(2), microseconds(1));
  CHECK(slow.entries() == 256);
}
