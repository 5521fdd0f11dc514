// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skills/library.hpp"
#include "skills/manifest.hpp"

#include <deque>
#include <future>
#include <optional>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

constexpr const char *text = "---\nname: a\ndescription: One.\n---\n";

// A source with one skill. It answers the reads of a manifest when the test says so.
class HeldSource final : public Source {
public:
  struct Reading {
    std::size_t documents;
    Each each;
    std::function<void()> done;
    void answer(const Result<std::string> &with) const {
      for (std::size_t i = 0; i < documents; ++i) each(i, with);
      done();
    }
  };
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override {}
  void list(CallOptions, ResultCallback<Snapshot> answer) override {
    answer(Snapshot{"1", {{"a", "SKILL.md", "1", {}, UINT64_MAX, true, false}}});
  }
  void changes(CallOptions, std::string, ResultCallback<Changes> answer) override {
    answer(Changes{"1", {}, {}});
  }
  void read(CallOptions, Document, std::size_t, ResultCallback<std::string>) override {}
  void readEach(CallOptions, std::vector<Document> documents, std::size_t, Each each,
                std::function<void()> done) override {
    const Reading reading{documents.size(), std::move(each), std::move(done)};
    if (holding)
      held.push_back(reading);
    else
      reading.answer(std::string(text));
  }
  bool holding = false;
  std::deque<Reading> held; // an entry stays while it is being answered

private:
  const std::string name_ = "held";
};

struct Manifests {
  std::shared_ptr<HeldSource> source = std::make_shared<HeldSource>();
  Library library{SkillRules{}, std::chrono::milliseconds(1)};
  std::shared_ptr<const Skill> skill;

  Manifests() {
    library.start({source});
    std::promise<void> ready;
    library.whenReady([&] { ready.set_value(); });
    ready.get_future().wait();
    skill = library.catalogue()->byName("a")->skill;
    source->holding = true;
  }

  using Found = std::optional<Result<std::vector<ManifestPointer>>>;
  std::shared_ptr<Found> ask(const CallOptions &options = {}) {
    auto found = std::make_shared<Found>();
    findManifests(library, {skill}, options, [found](auto result) { *found = std::move(result); });
    return found;
  }
};

} // namespace

TEST_CASE("a manifest that many ask for at once is computed once") {
  Manifests f;
  const auto first = f.ask(), second = f.ask(), third = f.ask();
  REQUIRE(f.source->held.size() == 1);
  CHECK_FALSE(first->has_value());
  f.source->held[0].answer(std::string(text));
  for (const auto &found : {first, second, third, f.ask()}) {
    REQUIRE(found->has_value());
    REQUIRE(**found);
    REQUIRE((***found)[0]);
    CHECK((***found)[0]->front().size == std::string(text).size());
  }
  CHECK(f.source->held.size() == 1);
}

TEST_CASE("who waits for another's manifest takes it up when that one gives up") {
  Manifests f;
  const auto first = f.ask(), second = f.ask(), third = f.ask();
  f.source->held[0].answer(Failure{Fault::Cancelled, "given up"});
  REQUIRE(first->has_value());
  CHECK((*first)->failure().fault == Fault::Cancelled);
  CHECK_FALSE(second->has_value());
  REQUIRE(f.source->held.size() == 2);
  f.source->held[1].answer(std::string(text));
  for (const auto &found : {second, third}) {
    REQUIRE(found->has_value());
    CHECK(**found);
  }
}

TEST_CASE("trouble of the source is told to everybody who waits") {
  Manifests f;
  const auto first = f.ask(), second = f.ask();
  f.source->held[0].answer(Failure{Fault::Unavailable, "upstream is down"});
  for (const auto &found : {first, second}) {
    REQUIRE(found->has_value());
    REQUIRE_FALSE(**found);
    CHECK((*found)->failure().message == "upstream is down");
  }
  f.ask(); // the next caller tries for itself
  CHECK(f.source->held.size() == 2);
}
