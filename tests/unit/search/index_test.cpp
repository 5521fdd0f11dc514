// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "search/index.hpp"

#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>

using namespace skillhost;

namespace {

// Answers on the calling thread; keeps what it is given.
class MemorySource final : public Source {
public:
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override {}
  void list(CallOptions, Answer<Snapshot>) override {}
  void changes(CallOptions, std::string, Answer<Changes>) override {}
  void read(CallOptions, Document, std::size_t, Answer<std::string>) override {}
  void readEach(CallOptions, std::vector<Document> documents, std::size_t, Each each,
                std::function<void()> done) override {
    reads += static_cast<int>(documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i)
      each(i, "head|body of " + documents[i].skill);
    done();
  }
  int reads = 0;

private:
  const std::string name_ = "memory";
};

class MemoryBackend final : public SearchBackend {
public:
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()> listener) override { hint = std::move(listener); }
  void stop() override { stopped = true; }
  void update(CallOptions, std::vector<SearchEntry> put, std::vector<std::string> removed,
              std::string generation, Answer<Done> answer) override {
    ++updates;
    if (failing) return answer({Fault::OperationFailed, "full"});
    if (stale != 0 && stale-- != 0) return answer({Fault::Stale, "the index was lost"});
    for (const std::string &id : removed) entries.erase(id);
    for (SearchEntry &entry : put) entries[entry.id] = entry;
    committed = std::move(generation);
    answer(Done{});
  }
  void query(CallOptions, std::string text, std::string, std::uint32_t,
             Answer<std::vector<SearchHit>> answer) override {
    answer(std::vector<SearchHit>{{"hit for " + text, 1.0, ""}});
  }
  std::map<std::string, SearchEntry> entries;
  std::string committed;
  std::function<void()> hint;
  int updates = 0, stale = 0;
  bool failing = false, stopped = false;

private:
  const std::string name_ = "memory";
};

struct Fixture {
  std::shared_ptr<MemorySource> source = std::make_shared<MemorySource>();
  std::shared_ptr<MemoryBackend> backend = std::make_shared<MemoryBackend>();
  Index index;

  Searchable one(const std::string &id, const std::string &revision) {
    Document document;
    document.skill = id;
    return {id, revision, "name " + id, "about " + id, "{}", source, document, 5};
  }
  void attach() { index.attach(std::shared_ptr<SearchBackend>(backend)); }
};

} // namespace

TEST_CASE("the backend holds what the catalogue holds; only what is new is read and put") {
  Fixture f;
  f.attach();
  f.index.update({f.one("a", "1"), f.one("b", "1")}, "g1");
  CHECK(f.backend->committed == "g1");
  CHECK(f.backend->entries.at("a").body == "body of a");
  CHECK(f.source->reads == 2);
  f.index.update({f.one("b", "2"), f.one("c", "1")}, "g2");
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
    f.index.update(wanted(), "g1");
  });
  f.attach();
  f.index.update(wanted(), "g1");
  f.index.update(wanted(), "g1");
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
  f.index.onLost([&] { f.index.update(wanted(), "g1"); });
  f.attach();
  f.index.update(wanted(), "g1");
  f.backend->entries.clear();
  f.backend->stale = 1;
  f.backend->hint();
  CHECK(f.backend->entries.size() == 2);
  f.backend->stale = 1000; // one that never takes anything is not asked for ever
  f.backend->updates = 0;
  f.backend->hint();
  CHECK(f.backend->updates < 10);
}

TEST_CASE("what is asked for before there is a backend is done once there is one") {
  Fixture f;
  bool told = false;
  f.index.whenCommitted([&] { told = true; });
  f.index.update({f.one("a", "1")}, "g1");
  CHECK_FALSE(told);
  f.attach();
  CHECK(told);
  CHECK(f.backend->entries.size() == 1);
}

TEST_CASE("without a backend nobody waits, and a query says why") {
  Fixture f;
  bool told = false;
  f.index.whenCommitted([&] { told = true; });
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
  f.index.update({f.one("a", "1")}, "g1");
  f.backend->failing = true;
  f.index.update({f.one("a", "1"), f.one("b", "1")}, "g2");
  f.backend->failing = false;
  f.backend->entries.clear();
  f.index.update({f.one("a", "1"), f.one("b", "1")}, "g3");
  CHECK(f.backend->entries.size() == 2);
}

TEST_CASE("updates from many threads end with the last one done") {
  Fixture f;
  f.attach();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&f, t] {
      for (int i = 0; i < 50; ++i)
        f.index.update({f.one("t" + std::to_string(t), std::to_string(i))}, std::to_string(i));
    });
  for (std::thread &thread : threads) thread.join();
  std::promise<void> idle;
  f.index.update({f.one("last", "1")}, "end");
  f.index.whenCommitted([&] { idle.set_value(); });
  idle.get_future().wait();
  CHECK(f.backend->committed == "end");
  CHECK(f.backend->entries.size() == 1);
}

TEST_CASE("a stopped index takes nothing more") {
  Fixture f;
  f.attach();
  f.index.stop();
  f.index.update({f.one("a", "1")}, "g1");
  CHECK(f.backend->stopped);
  CHECK(f.backend->entries.empty());
}
