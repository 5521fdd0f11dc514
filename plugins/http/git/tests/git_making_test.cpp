// SPDX-License-Identifier: Apache-2.0
// Tests how snapshots and packs are made of skills in memory: what a source that does not answer
// costs, what skills cost that change all the time, and what clients that leave cost those that
// wait.
#include "base/cache.hpp"
#include "catch2.hpp"
#include "marketplace.hpp"
#include "packs.hpp"
#include "restless.hpp"
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

SkillsInMemory::Files threeSkills() {
  SkillsInMemory::Files files;
  for (const std::string name : {"alpha", "beta", "gamma"})
    files[{name, "SKILL.md"}] =
        "---\nname: " + name + "\ndescription: Does " + name + ".\n---\nText.\n";
  return files;
}

CacheRules cacheOf(std::size_t bytes) {
  CacheRules rules;
  rules.bytes = bytes;
  return rules;
}
constexpr std::size_t nothingFits = 1;

class Repository {
public:
  explicit Repository(std::chrono::milliseconds pause = std::chrono::seconds(60),
                      SkillsInMemory::Files files = threeSkills(),
                      std::size_t cacheBytes = std::size_t{1} << 20U, bool leakedKeys = false)
      : cache(cacheOf(cacheBytes)),
        snapshots(std::make_shared<Snapshots>(
            library, cache, std::make_shared<Turns>(1, 10), restless,
            SnapshotRules{marketplaceText("skillhost"), leakedKeys, pause})) {
    source = std::make_shared<FaultySource>(std::move(files));
    library.start({source});
    std::promise<void> ready;
    library.whenReady([&] { ready.set_value(); });
    ready.get_future().wait();
    source->calls = 0;
  }

  // Makes the snapshot for a caller with these rules.
  Result<SnapshotPointer> make(const std::string &mark = "everybody") const {
    const auto catalogue = library.catalogue();
    Result<SnapshotPointer> made = Failure{Fault::Internal, "there is no answer"};
    snapshots->make({catalogue, std::to_string(catalogue->generation()) + '\n' + mark, mark},
                    [&](const Result<SnapshotPointer> &result) { made = result; });
    return made;
  }
  SnapshotPointer snapshot(const std::string &mark = "everybody") const {
    Result<SnapshotPointer> made = make(mark);
    REQUIRE(made);
    return *made;
  }
  // Returns true if a client that has nothing receives the snapshot.
  bool isSent(const SnapshotPointer &snapshot) {
    const auto packs = std::make_shared<Packs>(library, cache, std::make_shared<Turns>(2, 10),
                                               restless, std::size_t{1} << 20U);
    bool sent = false;
    packs->make({snapshot, {}, false, {}},
                [&](const Result<PackPointer> &pack) { sent = static_cast<bool>(pack); });
    return sent;
  }
  // Changes the text of a skill, in the source alone or also in the catalogue.
  enum class In : std::uint8_t { Source, Catalogue };
  void change(const std::string &name, In where) {
    SkillsInMemory::Files files = threeSkills();
    for (auto &[place, bytes] : files)
      if (place.first == name) bytes += "Change " + std::to_string(++changes) + ".\n";
    source->setFiles(std::move(files));
    if (where == In::Catalogue) reload();
  }
  void reload() {
    std::promise<void> listed;
    library.reload([&] { listed.set_value(); });
    listed.get_future().wait();
  }

  Library library{SkillRules{}, std::chrono::milliseconds(1)};
  Cache cache;
  std::shared_ptr<FaultySource> source;
  std::shared_ptr<RestlessSkills> restless = std::make_shared<RestlessSkills>();
  int changes = 0;
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
  // No pack is kept.
  Repository repository{std::chrono::seconds(60), threeSkills(), nothingFits};
  const SnapshotPointer snapshot = repository.snapshot();
  const auto packs =
      std::make_shared<Packs>(repository.library, repository.cache, std::make_shared<Turns>(2, 10),
                              repository.restless, std::size_t{1} << 20U);
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

TEST_CASE("a skill that changes faster than it can be read is left out, and no other skill") {
  Repository repository{std::chrono::seconds(60), threeSkills(), nothingFits};
  for (int i = 0; i < 2; ++i) {
    repository.change("beta", Repository::In::Source);
    const auto made = repository.make();
    REQUIRE_FALSE(made);
    CHECK(made.failure().fault == Fault::Stale);
  }
  repository.change("beta", Repository::In::Source);
  const SnapshotPointer without = repository.snapshot();
  REQUIRE(without->skills.size() == 2);
  CHECK(without->skills[0].name == "alpha");
  CHECK(without->skills[1].name == "gamma");
  CHECK(repository.isSent(without));
  SECTION("the commit stays while the skill changes") {
    repository.change("beta", Repository::In::Catalogue);
    CHECK(repository.snapshot()->commit.id == without->commit.id);
  }
}

TEST_CASE("skills that change all the time are all found at once") {
  Repository repository;
  SkillsInMemory::Files others = threeSkills();
  for (auto &[place, bytes] : others) bytes += "Changed.\n";
  repository.source->setFiles(std::move(others));
  CHECK_FALSE(repository.make());
  CHECK_FALSE(repository.make());
  CHECK(repository.snapshot()->skills.empty());
}

TEST_CASE("a skill that has come to rest is served again") {
  Repository repository{std::chrono::milliseconds(0)};
  repository.restless = std::make_shared<RestlessSkills>(std::chrono::milliseconds(0));
  repository.snapshots = std::make_shared<Snapshots>(
      repository.library, repository.cache, std::make_shared<Turns>(1, 10), repository.restless,
      SnapshotRules{marketplaceText("skillhost"), false, std::chrono::milliseconds(0)});
  for (int i = 0; i < 10; ++i) CHECK_FALSE(repository.restless->noteStale("memory/beta"));
  CHECK(repository.snapshot()->skills.size() == 3);
}

TEST_CASE("a skill that begins to change all the time is served as it was read last") {
  Repository repository;
  const SnapshotPointer before = repository.snapshot();
  for (int i = 0; i < 2; ++i) {
    repository.change("beta", Repository::In::Catalogue);
    repository.change("beta", Repository::In::Source);
    CHECK_FALSE(repository.make());
  }
  repository.change("beta", Repository::In::Catalogue);
  repository.change("beta", Repository::In::Source);
  const SnapshotPointer after = repository.snapshot();
  CHECK(after->commit.id == before->commit.id);
  CHECK(repository.isSent(after));
}

TEST_CASE("what one caller could read is not shown to another one") {
  Repository repository;
  repository.snapshot("ada");
  for (int i = 0; i < 3; ++i) repository.restless->noteStale("memory/beta");
  repository.change("beta", Repository::In::Catalogue);
  CHECK(repository.snapshot("ada")->skills.size() == 3);
  CHECK(repository.snapshot("bob")->skills.size() == 2);
}

TEST_CASE("a skill that changes after the commit was made can still be fetched") {
  Repository repository;
  const SnapshotPointer snapshot = repository.snapshot();
  repository.change("beta", Repository::In::Catalogue);
  repository.source->calls = 0;
  CHECK(repository.isSent(snapshot));
  CHECK(repository.source->calls == 0);
}

TEST_CASE("a skill whose contents are not kept is left out if packs find it changed three times") {
  Repository repository{std::chrono::seconds(60), threeSkills(), nothingFits};
  for (int i = 0; i < 3; ++i) {
    repository.change("beta", Repository::In::Catalogue);
    const SnapshotPointer snapshot = repository.snapshot();
    CHECK(snapshot->skills.size() == 3);
    repository.change("beta", Repository::In::Source);
    CHECK_FALSE(repository.isSent(snapshot));
  }
  repository.reload();
  const SnapshotPointer without = repository.snapshot();
  CHECK(without->skills.size() == 2);
  CHECK(repository.isSent(without));
}

TEST_CASE("clients that fetch an earlier commit again and again take no skill from the others") {
  Repository repository{std::chrono::seconds(60), threeSkills(), nothingFits};
  const SnapshotPointer before = repository.snapshot();
  repository.change("beta", Repository::In::Catalogue);
  for (int i = 0; i < 10; ++i) CHECK_FALSE(repository.isSent(before));
  const SnapshotPointer now = repository.snapshot();
  CHECK(now->skills.size() == 3);
  CHECK(repository.isSent(now));
}

TEST_CASE("a skill that is not what the catalogue says, and stays so, is left out") {
  Repository repository{std::chrono::seconds(60), threeSkills(), nothingFits};
  const SnapshotPointer snapshot = repository.snapshot();
  repository.change("beta", Repository::In::Source);
  for (int i = 0; i < 3; ++i) CHECK_FALSE(repository.isSent(snapshot));
  CHECK(repository.restless->contains("memory/beta"));
}

TEST_CASE("the commit that a client was offered just before a change is known to its rules alone") {
  Repository repository;
  const SnapshotPointer before = repository.snapshot("ada");
  repository.change("beta", Repository::In::Catalogue);
  CHECK(repository.snapshot("ada") != before);
  CHECK(repository.snapshots->offered("ada", before->commit.id) == before);
  CHECK(repository.snapshots->offered("bob", before->commit.id) == nullptr);
  CHECK(repository.snapshots->offered("ada", ObjectId{}) == nullptr);
}

TEST_CASE("a skill that seems to contain a key is left out, unless the configuration wants it") {
  SkillsInMemory::Files files = threeSkills();
  files[{"beta", "notes.md"}] = "The key is " + std::string("AKIA") + "Q7RLZ5VJ2XWM4KTP.\n";
  for (const bool leakedKeys : {false, true}) {
    const Repository repository{std::chrono::seconds(60), files, std::size_t{1} << 20U, leakedKeys};
    CHECK(repository.snapshot()->skills.size() == (leakedKeys ? 3 : 2));
    const int calls = repository.source->calls;
    CHECK(repository.snapshot("others")->skills.size() == (leakedKeys ? 3 : 2));
    CHECK(repository.source->calls == calls);
  }
}

TEST_CASE("a skill with two files of one name to some system is left out") {
  for (const auto &[one, other] :
       {std::pair{"A.md", "a.md"}, std::pair{"refs/\xC3\xA9.md", "refs/e\xCC\x81.md"}}) {
    SkillsInMemory::Files files = threeSkills();
    files[{"beta", one}] = "One.\n";
    files[{"beta", other}] = "Other.\n";
    const Repository repository{std::chrono::seconds(60), files};
    const SnapshotPointer snapshot = repository.snapshot();
    REQUIRE(snapshot->skills.size() == 2);
    CHECK(snapshot->skills[1].name == "gamma");
  }
}
