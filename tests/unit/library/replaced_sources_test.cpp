// SPDX-License-Identifier: Apache-2.0
#include "library_fixture.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

using namespace library_test;

namespace {

// The pipe on which a script's "block" waits until it is closed.
class Pipe {
public:
  Pipe() {
    ::unlink(path.c_str());
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    held_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  }
  ~Pipe() { close(); }
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;
  // Closes it; later readers find no pipe and do not block.
  void close() {
    ::unlink(path.c_str());
    ::close(std::exchange(held_, -1));
  }

  const std::string path =
      (fs::temp_directory_path() / ("skillhost-replace-" + std::to_string(::getpid()))).string();

private:
  int held_ = -1;
};

// A source without skills. The next question for its name calls `onAsked` once.
class AskedSource final : public Source {
public:
  explicit AskedSource(std::string name) : name_(std::move(name)) {}

  const std::string &name() const noexcept override {
    if (const auto call = std::exchange(onAsked, {})) call();
    return name_;
  }
  void onChanged(std::function<void()> /*listener*/) override {}
  void stop() override {}
  void list(CallOptions /*options*/, ResultCallback<Snapshot> answer) override {
    answer(Snapshot{});
  }
  void changes(CallOptions /*options*/, std::string since,
               ResultCallback<Changes> answer) override {
    answer(Changes{std::move(since), {}, {}, {}});
  }
  void read(CallOptions /*options*/, Document /*document*/, std::size_t /*limit*/,
            ResultCallback<std::string> answer) override {
    answer(Failure{Fault::NotFound, "it has no documents"});
  }
  void readEach(CallOptions /*options*/, std::vector<Document> /*documents*/, std::size_t /*limit*/,
                Each /*each*/, std::function<void()> done) override {
    done();
  }

  mutable std::function<void()> onAsked;

private:
  const std::string name_;
};

} // namespace

TEST_CASE("who looks for a source while the sources are replaced finds one of the former") {
  Fixture fixture;
  const auto asked = std::make_shared<AskedSource>("asked");
  fixture.sources = {asked, std::make_shared<AskedSource>("last")};
  fixture.start();
  asked->onAsked = [&] {
    fixture.replace({{std::make_shared<AskedSource>("next")}});
    // The library frees the former sources before it publishes once more.
    fixture.sources.clear();
    fixture.reload();
  };
  const auto found = fixture.library.source("last");
  REQUIRE(found);
  CHECK(found->name() == "last");
  CHECK(fixture.library.source("last") == nullptr);
}

TEST_CASE("sources are replaced at once, and what is served already goes on as it was") {
  Pipe pipe;
  Fixture fixture;
  fixture.add("stays", {{"documents", {document("a", "SKILL.md", skillText("a"))}}});
  fixture.add("changes", {{"documents", {document("b", "SKILL.md", skillText("b"))}}});
  fixture.add("goes", {{"documents", {document("c", "SKILL.md", skillText("c"))}}});
  const auto first = fixture.start();
  const std::shared_ptr<const Skill> a = first->byName("a")->skill;
  const auto stays = fixture.sources[0], before = fixture.sources[1];
  fixture.add("changes", {{"documents", {document("d", "SKILL.md", skillText("d"))}},
                          {"list", {{"do", "block"}, {"fifo", pipe.path}}}});
  const auto changed = fixture.sources.back();
  // The new source is still being listed, so the known skills are served.
  const auto kept = fixture.replace({{changed, true}, {stays}});
  CHECK(kept->generation() > first->generation());
  CHECK(fixture.taken == first->generation());
  REQUIRE(kept->sources().size() == 2);
  CHECK(kept->sources()[0].name == "changes");
  CHECK(kept->byName("a")->skill == a);
  CHECK(kept->byName("b") != nullptr);
  CHECK(kept->byName("c") == nullptr);
  CHECK(fixture.library.source("goes") == nullptr);
  CHECK(fixture.library.source("changes") == changed);
  CHECK(fixture.library.ready());
  // Under other rules nothing known of it may be shown.
  const auto bare = fixture.replace({{stays}, {before}});
  CHECK(bare->byName("d") == nullptr);
  CHECK(fixture.reload()->byName("b") != nullptr);
  // The same sources still make another generation, because the rules may be others.
  const auto same = fixture.replace({{stays}, {before}});
  CHECK(same->generation() > bare->generation());
  CHECK(fixture.replace({})->entries().empty());
  for (const auto &source : fixture.sources)
    if (source != changed) source->stop();
  pipe.close();
  changed->stop();
}

TEST_CASE("what still lists for the first time goes, and the rest is ready at that moment") {
  Pipe pipe;
  std::promise<void> partial;
  Fixture fixture;
  fixture.add("quick", {{"documents", {document("a", "SKILL.md", skillText("a"))}}});
  fixture.add("slow", {{"documents", {document("b", "SKILL.md", skillText("b"))}},
                       {"list", {{"do", "block"}, {"fifo", pipe.path}}}});
  fixture.library.onChange([&, told = false](const auto &, const auto &) mutable {
    if (!std::exchange(told, true)) partial.set_value();
  });
  fixture.library.start(fixture.sources);
  partial.get_future().wait(); // the quick source has answered
  std::promise<void> ready;
  fixture.library.whenReady([&] { ready.set_value(); });
  CHECK_FALSE(fixture.library.ready());
  CHECK(fixture.replace({{fixture.sources.front()}})->entries().size() == 1);
  ready.get_future().wait();
  CHECK(fixture.library.ready());
  pipe.close();
  fixture.sources.back()->stop();
}

TEST_CASE("a new source that cannot be listed serves nothing of what was known") {
  Fixture fixture;
  const Json documents = Json::array({document("a", "SKILL.md", skillText("a"))});
  fixture.add("s", {{"documents", documents}});
  fixture.start();
  fixture.add("s", {{"documents", documents}, {"list", {{"do", "UNAVAILABLE"}}}});
  const auto successor = fixture.sources.back();
  fixture.replace({{successor, true}});
  fixture.reload();
  CHECK(fixture.library.catalogue()->entries().empty());
  fixture.sources.front()->stop();
}

TEST_CASE("no catalogue of the sources before follows one of the sources after") {
  std::atomic<std::uint64_t> lastOfOld{0}, firstOfNew{UINT64_MAX};
  Fixture fixture;
  fixture.add("old", {{"documents", {document("a", "SKILL.md", skillText("a"))}}});
  fixture.add("new", {{"documents", {document("b", "SKILL.md", skillText("b"))}}});
  const auto old = fixture.sources[0], fresh = fixture.sources[1];
  fixture.sources.pop_back();
  fixture.library.onChange([&](const auto &now, const auto &) {
    if (now->sources().front().name == "old") lastOfOld = now->generation();
    if (now->sources().front().name == "new" && firstOfNew == UINT64_MAX)
      firstOfNew = now->generation();
  });
  fixture.start();
  for (int i = 0; i < 200; ++i) {
    // The old source is being listed at this moment.
    fixture.library.refresh("old");
    firstOfNew = UINT64_MAX;
    const auto now = fixture.replace({{fresh}});
    CHECK(now->sources().front().name == "new");
    CHECK(now->generation() > fixture.taken);
    CHECK(lastOfOld <= fixture.taken);
    fixture.replace({{old}});
  }
  fresh->stop();
}

namespace {

std::shared_ptr<const SkillRules> without(const std::string &id) {
  SkillRules rules;
  rules.isWanted = [id](std::string_view one) { return one != id; };
  return std::make_shared<const SkillRules>(rules);
}

} // namespace

TEST_CASE("by other rules every source is judged anew, also one that is being listed") {
  Pipe pipe;
  Fixture fixture;
  const Json documents{document("a", "SKILL.md", skillText("a")),
                       document("b", "SKILL.md", skillText("b"))};
  Script script(documents);
  fixture.add("s", script.configuration());
  fixture.add("t", {{"documents", documents}});
  const auto first = fixture.start();
  const auto s = fixture.sources[0], t = fixture.sources[1];
  // This source lists for a while by the earlier rules.
  script.write(documents, {{"list", {{"do", "block"}, {"fifo", pipe.path}}}});
  fixture.library.refresh("s");
  const auto taken = fixture.replace({{s, true}, {t, true}}, without("s/a"));
  CHECK(taken->byId("s/a") == nullptr);
  CHECK(taken->generation() > fixture.taken);
  CHECK(fixture.library.ready());
  script.write(documents);
  pipe.close();
  const auto judged = fixture.reload();
  CHECK(judged->byId("s/a") == nullptr);
  CHECK(judged->byId("s/b") != nullptr);
  REQUIRE(judged->byId("t/a") != nullptr);
  CHECK(judged->byId("t/a")->skill != first->byId("t/a")->skill);
  // Without new rules the old ones stay, and the listing goes on.
  const auto stayed = fixture.replace({{s}, {t}});
  CHECK(stayed->byId("s/b")->skill == judged->byId("s/b")->skill);
  CHECK(fixture.replace({{t}, {s}})->byId("s/a") == nullptr);
  CHECK(fixture.reload()->byId("s/a") == nullptr);
  fixture.replace({{s, true}, {t, true}}, std::make_shared<const SkillRules>());
  CHECK(fixture.reload()->byId("s/a") != nullptr);
}

TEST_CASE("by other rules a source that is away keeps what it had, but for what they leave out") {
  Fixture fixture;
  const Json documents{document("a", "SKILL.md", skillText("a")),
                       document("b", "SKILL.md", skillText("b"))};
  Script script(documents);
  fixture.add("s", script.configuration());
  fixture.start();
  const auto s = fixture.sources[0];
  script.write(documents, {{"list", {{"do", "UNAVAILABLE"}}}});
  const auto taken = fixture.replace({{s}}, without("s/a"));
  CHECK(taken->byId("s/a") == nullptr);
  CHECK(taken->byId("s/b") != nullptr);
  CHECK(fixture.replace({{s}}, std::make_shared<const SkillRules>())->byId("s/a") != nullptr);
}

TEST_CASE("rules change while a source is listed all the time") {
  Fixture fixture;
  fixture.add("s", {{"documents",
                     {document("a", "SKILL.md", skillText("a")),
                      document("b", "SKILL.md", skillText("b"))}}});
  fixture.start();
  const auto s = fixture.sources[0];
  for (int i = 0; i < 100; ++i) {
    fixture.library.refresh("s");
    const std::string gone = i % 2 == 0 ? "s/a" : "s/b", there = i % 2 == 0 ? "s/b" : "s/a";
    CHECK(fixture.replace({{s, true}}, without(gone))->byId(gone) == nullptr);
    const auto now = fixture.reload();
    CHECK(now->byId(gone) == nullptr);
    CHECK(now->byId(there) != nullptr);
  }
}
