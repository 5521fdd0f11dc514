// SPDX-License-Identifier: Apache-2.0
// Tests a source that is restricted to a lock, and a source that lies about its content.
#include "catch2.hpp"
#include "lock/locked_source.hpp"
#include "lock/taken_lock.hpp"
#include "skills/library.hpp"

#include <future>
#include <map>

using namespace skillhost;

namespace {

std::string lockedText(const std::string &name) {
  return "---\nname: " + name + "\ndescription: Does it.\n---\nBody.\n";
}

// Documents by skill and path. The test sets the revision, whatever the bytes are.
class LyingSource final : public Source {
public:
  using Place = std::pair<std::string, std::string>;
  std::map<Place, std::string> documents;
  std::string revision = "1";
  Place broken;
  bool away = false;
  Fault awayFault = Fault::Unavailable;
  std::size_t readings = 0;

  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override {}
  bool supportsPinning() const noexcept override { return true; }
  void list(CallOptions, ResultCallback<Snapshot> answer) override {
    Snapshot snapshot{revision, {}, {}, {}};
    for (const auto &[place, text] : documents)
      snapshot.documents.push_back(
          {place.first, place.second, "same", {}, UINT64_MAX, place.second == "SKILL.md", false});
    answer(std::move(snapshot));
  }
  void changes(CallOptions, std::string since, ResultCallback<Changes> answer) override {
    if (since != revision) return answer({Fault::Stale, "list again"});
    answer(Changes{revision, {}, {}, {}});
  }
  void read(CallOptions, Document document, std::size_t,
            ResultCallback<std::string> answer) override {
    ++readings;
    if (broken == Place(document.skill, document.path))
      return answer({Fault::TooLarge, "too large"});
    if (away) return answer({awayFault, "away"});
    answer(documents.at({document.skill, document.path}));
  }
  void readEach(CallOptions options, std::vector<Document> wanted, std::size_t limit, Each each,
                std::function<void()> done) override {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      read(options, wanted[i], limit,
           [&](Result<std::string> bytes) { each(i, std::move(bytes)); });
    done();
  }

private:
  const std::string name_ = "s";
};

struct Locked {
  std::shared_ptr<LyingSource> inner = std::make_shared<LyingSource>();
  std::shared_ptr<LockedSource> source;

  Locked() {
    inner->documents = {{{"a", "SKILL.md"}, lockedText("a")},
                        {{"a", "x.md"}, "text"},
                        {{"b", "SKILL.md"}, lockedText("b")}};
  }
  TakenLock taken() const {
    TakenLock taken;
    takeLock(inner, {}, [&](Result<TakenLock> found) {
      REQUIRE(found);
      taken = *std::move(found);
    });
    return taken;
  }
  void hold() { source = std::make_shared<LockedSource>(inner, taken().lock, "my.lock"); }
  Result<Snapshot> list() const {
    Result<Snapshot> out{Fault::Internal, "no answer"};
    source->list({}, [&](Result<Snapshot> listed) { out = std::move(listed); });
    return out;
  }
  Result<std::string> read(const Document &document) const {
    Result<std::string> out{Fault::Internal, "no answer"};
    source->read({}, document, 1000, [&](Result<std::string> bytes) { out = std::move(bytes); });
    return out;
  }
};

} // namespace

TEST_CASE("what is as it was locked passes, and bytes that were found good are not read again") {
  Locked locked;
  locked.hold();
  locked.inner->revision = "2"; // not the locked snapshot, so the bytes are compared
  locked.inner->readings = 0;
  const Result<Snapshot> listed = locked.list();
  REQUIRE(listed);
  CHECK(listed->documents.size() == 3);
  CHECK(listed->refused.empty());
  CHECK(locked.inner->readings == 3);
  REQUIRE(locked.list());
  CHECK(locked.inner->readings == 3);
}

TEST_CASE("a source that went back to the locked snapshot is not read in advance") {
  Locked locked;
  locked.hold();
  locked.inner->readings = 0;
  REQUIRE(locked.list());
  CHECK(locked.inner->readings == 0);
}

TEST_CASE("a skill that differs in one byte is refused as a whole, with the reason") {
  Locked locked;
  locked.hold();
  locked.inner->revision = "2";
  locked.inner->documents[{"a", "x.md"}] = "tent";
  locked.inner->documents[{"c", "SKILL.md"}] = lockedText("c");
  locked.inner->documents.erase({"b", "SKILL.md"});
  const Result<Snapshot> listed = locked.list();
  REQUIRE(listed);
  CHECK(listed->documents.empty());
  REQUIRE(listed->refused.size() == 3);
  CHECK(listed->refused.at("a").find("x.md has 4 bytes with BLAKE3") == 0);
  CHECK(listed->refused.at("b").find("the source no longer has it") != std::string::npos);
  CHECK(listed->refused.at("c") == "it is not in my.lock");
}

TEST_CASE("other bytes under a revision that was found good are a failure, and end its listing") {
  Locked locked;
  locked.hold();
  const Result<Snapshot> listed = locked.list();
  REQUIRE(listed);
  bool hinted = false;
  locked.source->onChanged([&] { hinted = true; });
  CHECK(*locked.read(listed->documents[1]) == "text");
  CHECK(!hinted);
  locked.inner->documents[{"a", "x.md"}] = "tent";
  const Result<std::string> bytes = locked.read(listed->documents[1]);
  REQUIRE(!bytes);
  CHECK(bytes.failure().fault == Fault::Corrupt);
  CHECK(bytes.failure().message.find("s/a is not as it was locked: x.md has") == 0);
  CHECK(hinted);
  bool stale = false;
  locked.source->changes({}, "1", [&](const Result<Changes> &changes) {
    stale = !changes && changes.failure().fault == Fault::Stale;
  });
  CHECK(stale);
  const Result<Snapshot> again = locked.list(); // the snapshot alone is no longer believed
  REQUIRE(again);
  CHECK(again->refused.contains("a"));
  CHECK(again->documents.size() == 1);
}

TEST_CASE("a source that is away is no reason to refuse its skills") {
  Locked locked;
  locked.hold();
  locked.inner->revision = "2";
  locked.inner->away = true;
  for (const Fault fault : {Fault::Unavailable, Fault::ToolTimeout, Fault::RateLimited,
                            Fault::MemoryPressure, Fault::Cancelled, Fault::Stale}) {
    locked.inner->awayFault = fault;
    const Result<Snapshot> listed = locked.list();
    REQUIRE(!listed);
    CHECK(listed.failure().fault == fault);
  }
}

TEST_CASE("the library serves what the lock allows, and says why not the rest") {
  Locked locked;
  locked.hold();
  locked.inner->revision = "2";
  locked.inner->documents[{"b", "SKILL.md"}] += "More.\n";
  Library library{SkillRules{}, std::chrono::milliseconds(1)};
  library.start({locked.source});
  std::promise<void> ready;
  library.whenReady([&] { ready.set_value(); });
  ready.get_future().wait();
  const auto catalogue = library.catalogue();
  CHECK(catalogue->byName("a") != nullptr);
  CHECK(catalogue->byName("b") == nullptr);
  REQUIRE(catalogue->findings().size() == 1);
  CHECK(catalogue->findings()[0].code == notLockedCode);
  CHECK(catalogue->findings()[0].file == "s/b");
}

TEST_CASE("a skill with a document that cannot be read is left out of the lock and named") {
  Locked locked;
  locked.inner->broken = {"a", "x.md"};
  const TakenLock taken = locked.taken();
  CHECK(taken.lock.snapshot == "1");
  REQUIRE(taken.lock.skills.size() == 1);
  CHECK(taken.lock.skills.contains("b"));
  CHECK(taken.left == std::vector<std::string>{"a: too large"});
}
