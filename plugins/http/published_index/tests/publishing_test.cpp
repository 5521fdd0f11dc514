// SPDX-License-Identifier: Apache-2.0
// Tests the files of published skills: their digests, and whose turn it is when many wait; and when
// a listing would lack the skills of a source.
#include "artefacts.hpp"
#include "base/cache.hpp"
#include "catch2.hpp"
#include "listing_text.hpp"
#include "skills_in_memory.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;

namespace {

// It keeps its files back while it is held.
class HeldSource final : public SkillsInMemory {
public:
  using SkillsInMemory::SkillsInMemory;
  void list(CallOptions options, ResultCallback<Snapshot> answer) override {
    SkillsInMemory::list(std::move(options), [this, answer](Result<Snapshot> listed) {
      if (listed)
        for (Document &one : listed->documents) one.executable = isExecutable;
      answer(std::move(listed));
    });
  }
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override {
    if (isHeld) read.push_back(documents.front().skill);
    auto go = [this, options = std::move(options), documents = std::move(documents), limit, each,
               done] { SkillsInMemory::readEach(options, documents, limit, each, done); };
    if (isHeld)
      held.emplace_back(std::move(go));
    else
      go();
  }
  // Gives the files of one skill; the next one may be asked for meanwhile.
  void give() {
    const auto go = std::move(held.front());
    held.pop_front();
    go();
  }
  bool isExecutable = false, isHeld = false;
  std::deque<std::function<void()>> held;
  std::vector<std::string> read; // the skills that were held, in this order
};

SkillsInMemory::Files skillsNamed(const std::vector<std::string> &names) {
  SkillsInMemory::Files files;
  for (const std::string &name : names) {
    files[{name, "SKILL.md"}] =
        "---\nname: " + name + "\ndescription: Does " + name + ".\n---\nText.\n";
    files[{name, "run"}] = "echo " + name + "\n";
  }
  return files;
}

struct Published {
  explicit Published(const std::vector<std::string> &names)
      : source(std::make_shared<HeldSource>(skillsNamed(names))),
        library(SkillRules{}, std::chrono::milliseconds(1)), cache(CacheRules{}),
        artefacts(std::make_shared<Artefacts>(library, cache, Artefacts::LeakedKeys::Publish)) {
    library.start({source});
    std::promise<void> ready;
    library.whenReady([&] { ready.set_value(); });
    ready.get_future().wait();
  }
  std::shared_ptr<const Skill> skill(const std::string &name) {
    return library.catalogue()->byName(name)->skill;
  }
  void make(const std::string &name, const std::string &whose) {
    artefacts->make(skill(name), whose, [this](const Result<ArtefactPointer> &made) {
      ++(made ? served : refused);
      if (made) digest = (*made)->digest;
      if (!made) CHECK(made.failure().fault == Fault::RateLimited);
    });
  }

  int served = 0, refused = 0;
  std::string digest; // of the last one served
  std::shared_ptr<HeldSource> source;
  Library library;
  Cache cache;
  std::shared_ptr<Artefacts> artefacts;
};

} // namespace

TEST_CASE("a skill of which only the executable bit changes has another digest") {
  Published published({"pdf"});
  published.make("pdf", "a");
  const std::string before = published.digest;
  REQUIRE_FALSE(before.empty());
  published.source->isExecutable = true;
  std::promise<void> done;
  published.library.reload([&] { done.set_value(); });
  done.get_future().wait();
  CHECK(published.artefacts->digestOf(*published.skill("pdf")).empty());
  published.make("pdf", "a");
  CHECK(published.served == 2);
  CHECK(published.digest != before);
}

TEST_CASE("a caller with many requests keeps nobody from published skills") {
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) names.push_back("s" + std::to_string(100 + i));
  Published published(names);
  published.source->isHeld = true;
  for (const std::string &name : names) published.make(name, "greedy");
  CHECK(published.refused == 40 - static_cast<int>(Artefacts::maxWaitingOfOne));
  published.make(names[39], "modest");
  published.make(names[20], "modest"); // waits in the other's line, too
  CHECK(published.refused == 8);
  for (int i = 0; i < 4; ++i) published.source->give();
  const auto &read = published.source->read;
  CHECK(read == std::vector<std::string>{"s100", "s101", "s139", "s102", "s120"});
  CHECK(published.served == 4);
  published.make(names[39], "greedy"); // it is kept
  CHECK(published.served == 5);
  while (!published.source->held.empty()) published.source->give();
  CHECK(read.size() == 33); // each once
  CHECK(published.served == 35);
  published.source->isHeld = false;
  for (const std::string &name : names) published.make(name, "greedy"); // none waits any more
  CHECK(published.served == 75);
  CHECK(published.refused == 8);
}

TEST_CASE("a listing that would lack a source that has never answered is not sent") {
  const auto with = [](const std::vector<SourceStatus> &sources) {
    return Catalogue(1, {}, sources, {});
  };
  const auto lacks = [](const Catalogue &whole, const Catalogue &seen) {
    std::vector<Glob> globs;
    globs.push_back(*Glob::compile("team-*"));
    return lacksSource(whole, seen, globs);
  };
  const SourceStatus good{"team-a", "1", 1, {}}, away{"team-b", "", 0, "away"},
      stale{"team-b", "1", 1, "away"}, absent{"team-b", "", 0, "wrong", true},
      other{"other", "", 0, "away"};
  const Catalogue lacking = with({good, away});
  CHECK(lacks(lacking, lacking));
  CHECK_FALSE(lacks(lacking, with({good}))); // a caller who may not know the source
  for (const SourceStatus &one : {stale, absent, other}) {
    const Catalogue whole = with({good, one});
    CHECK_FALSE(lacks(whole, whole));
  }
  // Nothing of the stale source is visible to this caller.
  CHECK_FALSE(lacks(with({good, stale}), with({good, {"team-b", "1", 0, "away"}})));
}
