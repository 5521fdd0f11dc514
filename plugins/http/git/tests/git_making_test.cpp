// SPDX-License-Identifier: Apache-2.0
// Tests how snapshots and packs are made of skills in memory: what a source that does not answer
// costs, and what clients that leave cost those that wait.
#include "base/cache.hpp"
#include "catch2.hpp"
#include "marketplace.hpp"
#include "packs.hpp"
#include "skills_in_memory.hpp"
#include "snapshots.hpp"
#include "steps.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace skillhost;
using namespace skillhost::git;

// Its files cannot be read while it has a fault.
class FaultySource final : public SkillsInMemory {
public:
  using SkillsInMemory::SkillsInMemory;
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override {
    ++calls;
    const std::optional<Fault> failing = fault;
    if (!failing)
      return SkillsInMemory::readEach(std::move(options), std::move(documents), limit,
                                      std::move(each), std::move(done));
    for (std::size_t i = 0; i < documents.size(); ++i) each(i, Failure{*failing, "no answer"});
    done();
  }
  std::optional<Fault> fault;
  std::atomic<int> calls{0}; // of readEach
};

class Repository {
public:
  explicit Repository(std::chrono::milliseconds pause = std::chrono::seconds(60))
      : snapshots(std::make_shared<Snapshots>(library, std::make_shared<Turns>(1, 10),
                                              marketplaceText("skillhost"), pause)) {
    SkillsInMemory::Files files;
    for (const std::string name : {"alpha", "beta", "gamma"})
      files[{name, "SKILL.md"}] =
          "---\nname: " + name + "\ndescription: Does " + name + ".\n---\nText.\n";
    source = std::make_shared<FaultySource>(std::move(files));
    library.start({source});
    std::promise<void> ready;
    library.whenReady([&] { ready.set_value(); });
    ready.get_future().wait();
    source->calls = 0;
  }

  // Returns the snapshot that a caller with these rules gets.
  SnapshotPointer snapshot(const std::string &mark = "everybody") const {
    SnapshotPointer made;
    snapshots->make({library.catalogue(), "1\n" + mark, mark},
                    [&](const Result<SnapshotPointer> &result) {
                      if (result) made = *result;
                    });
    REQUIRE(made);
    return made;
  }

  Library library{SkillRules{}, std::chrono::milliseconds(1)};
  std::shared_ptr<FaultySource> source;
  std::shared_ptr<Snapshots> snapshots;
};

} // namespace

TEST_CASE("a source that does not answer in time costs one wait, for all its skills and callers") {
  const Repository repository;
  repository.source->fault = Fault::ToolTimeout;
  CHECK(repository.snapshot()->skills.empty());
  CHECK(repository.source->calls == 1);
  CHECK(repository.snapshot("others")->skills.empty());
  CHECK(repository.source->calls == 1);
}

TEST_CASE("a skill that cannot be read costs no other skill") {
  const Repository repository;
  repository.source->fault = Fault::Unavailable;
  CHECK(repository.snapshot()->skills.empty());
  CHECK(repository.source->calls == 3);
}

TEST_CASE("a snapshot without skills that cannot be read is kept for a while") {
  for (const Fault fault : {Fault::ToolTimeout, Fault::Unavailable}) {
    const Repository repository;
    repository.source->fault = fault;
    const SnapshotPointer incomplete = repository.snapshot();
    repository.source->fault.reset();
    CHECK(repository.snapshot() == incomplete);
  }
}

TEST_CASE("a snapshot without skills that cannot be read is made again after a while") {
  for (const Fault fault : {Fault::ToolTimeout, Fault::Unavailable}) {
    const Repository repository{std::chrono::milliseconds(0)};
    repository.source->fault = fault;
    CHECK(repository.snapshot()->skills.empty());
    repository.source->fault.reset();
    const SnapshotPointer whole = repository.snapshot();
    CHECK(whole->skills.size() == 3);
    CHECK(repository.snapshot() == whole);
  }
}

TEST_CASE("a skill with more than 16 MiB is left out for good") {
  const Repository repository;
  repository.source->fault = Fault::TooLarge;
  const SnapshotPointer without = repository.snapshot();
  CHECK(without->skills.empty());
  CHECK(repository.source->calls == 3);
  CHECK(repository.snapshot("others")->skills.empty());
  CHECK(repository.source->calls == 3);
}

TEST_CASE("a client that waits gets its pack, though others leave") {
  Repository repository;
  CacheRules rules;
  rules.bytes = 1; // no pack is kept there
  Cache cache(rules);
  const SnapshotPointer snapshot = repository.snapshot();
  const auto packs = std::make_shared<Packs>(repository.library, cache,
                                             std::make_shared<Turns>(2, 10), std::size_t{1} << 20U);
  const auto receives = [&](std::function<bool()> isGone) {
    std::promise<bool> received;
    packs->make({snapshot, {}, false, std::move(isGone)}, [&](const Result<PackPointer> &pack) {
      received.set_value(static_cast<bool>(pack));
    });
    return received.get_future().get();
  };
  std::atomic<bool> ended{false}, seenGone{false};
  std::thread others([&] {
    while (!ended) receives([&] { return seenGone = true; });
  });
  int refused = 0;
  for (int i = 0; i < 500; ++i) {
    // The client comes just when the pack of another one is given up.
    seenGone = false;
    while (!seenGone) std::this_thread::yield();
    if (!receives({})) ++refused;
  }
  ended = true;
  others.join();
  CHECK(refused == 0);
}
