// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "index_fixture.hpp"

#include <atomic>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

using namespace skillhost;

TEST_CASE("the backend holds what the catalogue holds; only what is new is read and put") {
  Fixture f;
  f.attach();
  f.update({f.one("a", "1"), f.one("b", "1")}, "g1");
  CHECK(f.backend->committed == "g1");
  CHECK(f.backend->entries.at("a").body == "body of a");
  CHECK(f.source->reads == 2);
  f.update({f.one("b", "2"), f.one("c", "1")}, "g2");
  CHECK(f.backend->entries.size() == 2);
  CHECK_FALSE(f.backend->entries.contains("a"));
  CHECK(f.backend->entries.at("b").revision == "2");
  CHECK(f.source->reads == 4);
  CHECK(f.index.size() == 2);
}

TEST_CASE("a backend that lost its index is given everything again") {
  Fixture f;
  const auto wanted = [&f] { return std::vector{f.one("a", "1"), f.one("b", "1")}; };
  int losses = 0;
  f.index.onLost([&] {
    ++losses;
    f.update(wanted(), "g1");
  });
  f.attach();
  f.update(wanted(), "g1");
  f.update(wanted(), "g1");
  CHECK(f.source->reads == 2);
  f.backend->entries.clear();
  f.backend->hint();
  CHECK(losses == 1);
  CHECK(f.backend->entries.size() == 2);
  CHECK(f.source->reads == 4);
}

TEST_CASE("a backend that says so only when it is written to is given everything again, too") {
  Fixture f;
  const auto wanted = [&f] { return std::vector{f.one("a", "1"), f.one("b", "1")}; };
  f.index.onLost([&] { f.update(wanted(), "g1"); });
  f.attach();
  f.update(wanted(), "g1");
  f.backend->entries.clear();
  f.backend->stale = 1;
  f.backend->hint();
  CHECK(f.backend->entries.size() == 2);
  f.backend->stale = 1000; // a backend that never accepts an update is not asked for ever
  f.backend->updates = 0;
  f.backend->hint();
  CHECK(f.backend->updates < 10);
}

TEST_CASE("what is asked for before there is a backend is done once there is one") {
  Fixture f;
  bool told = false;
  f.index.whenCommitted({}, [&] { told = true; });
  f.update({f.one("a", "1")}, "g1");
  CHECK_FALSE(told);
  f.attach();
  CHECK(told);
  CHECK(f.backend->entries.size() == 1);
}

TEST_CASE("without a backend nobody waits, and a query says why") {
  Fixture f;
  bool told = false;
  f.index.whenCommitted({}, [&] { told = true; });
  f.index.attach(Failure{Fault::NotFound, "no such plugin"});
  CHECK(told);
  std::string why;
  f.index.query({}, "x", {}, 3,
                [&](const Result<std::vector<SearchHit>> &hits) { why = hits.failure().message; });
  CHECK(why == "no such plugin");
}

TEST_CASE("after a failure everything is put again") {
  Fixture f;
  f.attach();
  f.update({f.one("a", "1")}, "g1");
  f.backend->failing = true;
  f.update({f.one("a", "1"), f.one("b", "1")}, "g2");
  f.backend->failing = false;
  f.backend->entries.clear();
  f.update({f.one("a", "1"), f.one("b", "1")}, "g3");
  CHECK(f.backend->entries.size() == 2);
}

TEST_CASE("updates from many threads end with the last one done") {
  Fixture f;
  f.attach();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&f, t] {
      for (int i = 0; i < 50; ++i)
        f.update({f.one("t" + std::to_string(t), std::to_string(i))}, std::to_string(i));
    });
  for (std::thread &thread : threads) thread.join();
  f.update({f.one("last", "1")}, "end");
  CHECK(f.backend->committed == "end");
  CHECK(f.backend->entries.size() == 1);
}

TEST_CASE("a stopped index takes nothing more") {
  Fixture f;
  f.attach();
  f.index.stop();
  f.update({f.one("a", "1")}, "g1");
  CHECK(f.backend->stopped);
  CHECK(f.backend->entries.empty());
}

TEST_CASE("while an update is under way nobody waits: what is committed answers") {
  Fixture f;
  f.attach();
  f.update({f.one("a", "1")}, "g1");
  f.backend->holdsUpdates = true;
  f.update({f.one("a", "2")}, "g2");
  REQUIRE(f.backend->keptAnswers.size() == 1);
  bool told = false;
  f.index.whenCommitted({}, [&] { told = true; });
  CHECK(told);
  // The kept answer holds the index, and the index holds the backend that keeps the answer.
  const auto answers = std::exchange(f.backend->keptAnswers, {});
  answers.front()(Done{});
}

TEST_CASE("an update that is expected is waited for, though another one has ended") {
  Fixture f;
  f.attach();
  f.update({f.one("a", "1")}, "g1");
  f.index.expectUpdate();
  bool told = false;
  f.index.whenCommitted({}, [&] { told = true; });
  CHECK_FALSE(told);
  f.update({f.one("a", "1"), f.one("b", "1")}, "g2");
  CHECK(told);
}

TEST_CASE("who gave up while waiting is not called, and let go when the next one comes") {
  Fixture f;
  f.attach();
  const CancelToken first, second;
  const auto held = std::make_shared<int>(0);
  int called = 0;
  f.index.whenCommitted(first, [&called, held] { ++called; });
  CHECK(held.use_count() == 2);
  first.cancel();
  f.index.whenCommitted(second, [&called] { ++called; });
  CHECK(held.use_count() == 1);
  f.index.whenCommitted({}, [&called] { called += 10; });
  second.cancel();
  f.update({f.one("a", "1")}, "g1");
  CHECK(called == 10);
}

TEST_CASE("a failed update, and a text that could not be read, are tried again by themselves") {
  Fixture f;
  std::promise<void> put;
  f.index.onLost([&] { f.update({f.one("a", "1"), f.one("b", "1")}, "g1"); });
  f.backend->done = [&] {
    if (!f.backend->entries.at("a").body.empty() && !f.backend->entries.at("b").body.empty())
      put.set_value();
  };
  SECTION("the backend failed") { f.backend->failures = 4; }
  SECTION("a text was away") { f.source->away = 3; }
  f.attach();
  f.update({f.one("a", "1"), f.one("b", "1")}, "g1");
  REQUIRE(put.get_future().wait_for(std::chrono::seconds(20)) == std::future_status::ready);
  f.index.stop();
  CHECK(f.backend->updates > 1);
}

TEST_CASE("as long as nothing could be committed a query says why") {
  Fixture f;
  f.backend->failing = true;
  f.attach();
  f.update({f.one("a", "1")}, "g1");
  std::string why;
  f.index.query({}, "x", {}, 3,
                [&](const Result<std::vector<SearchHit>> &hits) { why = hits.failure().message; });
  CHECK(why.find("full") != std::string::npos);
}

TEST_CASE("nothing is tried again after the end") {
  auto f = std::make_unique<Fixture>();
  std::atomic<int> asked{0};
  f->index.onLost([&] {
    ++asked;
    f->update({f->one("a", "1")}, "g1");
  });
  f->backend->failing = true;
  f->attach();
  f->update({f->one("a", "1")}, "g1");
  f->index.stop();
  const int before = asked;
  const auto backend = f->backend;
  f = nullptr;
  CHECK(asked == before);
  CHECK(backend->stopped);
}

TEST_CASE("much is committed piece by piece, and what is there is found meanwhile") {
  Fixture f;
  f.attach();
  CHECK_FALSE(f.index.progress().committed);
  std::vector<SearchableEntry> all;
  for (int i = 0; i < 1000; ++i) all.push_back(f.one(std::to_string(i), "1"));
  f.backend->holdsUpdates = true;
  f.update(all, "g1");
  std::size_t pieces = 0;
  while (!f.backend->keptAnswers.empty()) {
    const IndexProgress before = f.index.progress();
    CHECK(before.total == 1000);
    CHECK(before.done < 1000);
    CHECK(before.committed == (pieces != 0));
    CHECK_FALSE(before.isComplete);
    ++pieces;
    const auto answers = std::exchange(f.backend->keptAnswers, {});
    REQUIRE(answers.size() == 1);
    answers.front()(Done{});
  }
  CHECK(pieces > 1);
  CHECK(f.backend->entries.size() == 1000);
  CHECK(f.index.progress().isComplete);
  CHECK(f.index.progress().done == 1000);
  // An index with one pending entry of a thousand counts as whole; with all of them pending it does
  // not.
  all.front().revision = "2";
  f.update(all, "g2");
  CHECK(f.index.progress().isComplete);
  std::exchange(f.backend->keptAnswers, {}).front()(Done{});
  for (SearchableEntry &one : all) one.revision = "3";
  f.update(all, "g3");
  CHECK_FALSE(f.index.progress().isComplete);
  f.backend->holdsUpdates = false;
  std::exchange(f.backend->keptAnswers, {}).front()(Done{});
  CHECK(f.index.progress().isComplete);
}

TEST_CASE("what is gone goes with the first piece") {
  Fixture f;
  f.attach();
  f.update({f.one("gone", "1")}, "g1");
  std::vector<SearchableEntry> all;
  for (int i = 0; i < 300; ++i) all.push_back(f.one(std::to_string(i), "1"));
  f.backend->holdsUpdates = true;
  f.update(all, "g2");
  CHECK_FALSE(f.backend->entries.contains("gone"));
  f.backend->holdsUpdates = false;
  std::exchange(f.backend->keptAnswers, {}).front()(Done{});
  CHECK(f.backend->entries.size() == 300);
}

TEST_CASE("a hit tells the revision that was found, unless a commit may have changed it") {
  Fixture f;
  f.attach();
  using Revisions = std::map<std::string, std::string>;
  Revisions told;
  const auto take = [&](const Result<std::vector<SearchHit>> &hits) {
    REQUIRE(hits);
    told.clear();
    for (const SearchHit &hit : *hits) told[hit.id] = hit.revision;
  };
  const auto ask = [&] {
    f.index.query({}, "q", {}, 5, take);
    return told;
  };
  f.backend->found = {"a", "b", "gone"};
  f.update({f.one("a", "1"), f.one("b", "1")}, "g1");
  CHECK(ask() == Revisions{{"a", "1"}, {"b", "1"}, {"gone", ""}});
  // While a commit is under way either version may be found.
  f.backend->holdsUpdates = true;
  f.update({f.one("a", "2"), f.one("b", "1")}, "g2");
  CHECK(ask() == Revisions{{"a", ""}, {"b", "1"}, {"gone", ""}});
  f.backend->holdsUpdates = false;
  // The kept answer holds the index, which holds the backend.
  std::exchange(f.backend->keptAnswers, {}).front()(Done{});
  CHECK(ask() == Revisions{{"a", "2"}, {"b", "1"}, {"gone", ""}});
  // For a query that began before the commit and ends after it, the revision is unknown, too.
  f.backend->keepsQueries = true;
  f.index.query({}, "q", {}, 5, take);
  f.backend->keepsQueries = false;
  f.update({f.one("a", "2"), f.one("b", "2")}, "g3");
  std::exchange(f.backend->keptQueries, {}).front()();
  CHECK(told == Revisions{{"a", "2"}, {"b", ""}, {"gone", ""}});
  CHECK(ask() == Revisions{{"a", "2"}, {"b", "2"}, {"gone", ""}});
  // A failed commit may have left any state.
  f.backend->failures = 1;
  f.update({f.one("a", "2"), f.one("b", "3")}, "g4");
  CHECK(ask() == Revisions{{"a", ""}, {"b", ""}, {"gone", ""}});
}
