// SPDX-License-Identifier: Apache-2.0
#include "library_fixture.hpp"
#include "skills/view.hpp"

#include <sys/stat.h>

#include <set>
#include <thread>

using namespace library_test;

TEST_CASE("skills of all sources are in the catalogue, the earlier source has the bare name") {
  Fixture fixture;
  fixture.add("one", {{"documents", {document("pdf", "SKILL.md", skillText("pdf"))}}});
  fixture.add("two", {{"documents",
                       {document("pdf", "SKILL.md", skillText("pdf", "Other.")),
                        document("csv", "SKILL.md", skillText("csv"))}}});
  const auto catalogue = fixture.start();
  REQUIRE(catalogue->entries().size() == 3);
  REQUIRE(catalogue->byName("pdf"));
  CHECK(catalogue->byName("pdf")->skill->source == "one");
  REQUIRE(catalogue->byName("two/pdf"));
  CHECK(catalogue->byName("two/pdf")->skill->fields.description == "Other.");
  CHECK(catalogue->byName("one/pdf") == catalogue->byName("pdf"));
  CHECK(catalogue->findings().size() == 1);
  CHECK(catalogue->findings()[0].code == "name-taken");
}

TEST_CASE("one broken skill or source costs only itself, and says why") {
  Fixture fixture;
  fixture.add("s", {{"documents",
                     {document("bad", "SKILL.md", "no front matter"),
                      document("good", "SKILL.md", skillText("good"))}}});
  fixture.add("dead", {{"list", {{"do", "UNAVAILABLE"}, {"message", "no route"}}}});
  const auto catalogue = fixture.start();
  CHECK(catalogue->entries().size() == 1);
  REQUIRE(catalogue->findings().size() == 1);
  CHECK(catalogue->findings()[0].severity == Severity::Error);
  REQUIRE(catalogue->sources().size() == 2);
  CHECK(catalogue->sources()[1].failure.find("no route") != std::string::npos);
}

TEST_CASE("as long as a source has not answered the catalogue says that more is to come") {
  const std::string pipe =
      (fs::temp_directory_path() / ("skillhost-pipe-" + std::to_string(::getpid()))).string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::promise<std::shared_ptr<const Catalogue>> first;
  Fixture fixture;
  fixture.add("quick", {{"documents", {document("a", "SKILL.md", skillText("a"))}}});
  fixture.add("slow", {{"documents", {document("b", "SKILL.md", skillText("b"))}},
                       {"list", {{"do", "block"}, {"fifo", pipe}}}});
  CHECK(fixture.library.catalogue()->loading().isInProgress);
  fixture.library.onChange([&, told = false](const auto &now, const auto &) mutable {
    if (!std::exchange(told, true)) first.set_value(now);
  });
  fixture.library.start(fixture.sources);
  const auto partial = first.get_future().get();
  CHECK(partial->loading().isInProgress);
  CHECK(partial->loading().answered == 1);
  CHECK(partial->loading().sources == 2);
  CHECK(partial->entries().size() == 1);
  CHECK_FALSE(fixture.library.ready());
  std::ofstream(pipe).close();
  std::promise<void> ready;
  fixture.library.whenReady([&] { ready.set_value(); });
  ready.get_future().wait();
  CHECK_FALSE(fixture.library.catalogue()->loading().isInProgress);
  CHECK(fixture.library.catalogue()->entries().size() == 2);
  fs::remove(pipe);
}

TEST_CASE("a skill has every file below its folder, those of nested skills included") {
  Fixture fixture;
  fixture.add("s",
              {{"documents",
                {document("a", "SKILL.md", skillText("a")), document("a", "z.md", "z"),
                 document("a/sub", "SKILL.md", skillText("sub")), document("a/sub", "r/x.md", "x"),
                 document("ab", "SKILL.md", skillText("ab"))}}});
  const auto catalogue = fixture.start();
  const Skill &outer = *catalogue->byName("a")->skill;
  CHECK(outer.filePaths ==
        std::vector<std::string>{"SKILL.md", "sub/SKILL.md", "sub/r/x.md", "z.md"});
  CHECK(catalogue->byName("sub")->skill->filePaths.size() == 2);
  CHECK(catalogue->file("skill://s/a/sub/r/x.md").entry == catalogue->byName("sub"));
  CHECK(catalogue->file("skill://s/a/z.md").entry == catalogue->byName("a"));
  CHECK(catalogue->file("skill://s/a/../ab/SKILL.md").entry == nullptr);
  CHECK(catalogue->file("skill://s/a").entry == nullptr);
  CHECK(catalogue->byUri("skill://s/a") == catalogue->byName("a"));
  CHECK(catalogue->folder("skill://s/a/sub/r").path == "r");
}

TEST_CASE("who may not see a category finds nothing of a skill inside that is not served") {
  const auto seenFiles = [](const std::string &inner, const SkillRules &rules) {
    Fixture fixture(std::chrono::milliseconds(1), rules);
    fixture.add("team", {{"documents",
                          {document("ops", "SKILL.md", skillText("ops")),
                           document("ops/plans", "SKILL.md", inner),
                           document("ops/plans", "note.md", "secret"),
                           document("plans", "SKILL.md", skillText("plans"))}}});
    const auto whole = fixture.start();
    REQUIRE(whole->byId("team/ops"));
    CHECK(whole->byId("team/ops")->skill->filePaths.size() == 3);
    const auto view = viewOf(
        whole,
        [](const Skill &skill) {
          return !skill.fields.isCategoryUnsure && skill.fields.category != "internal";
        },
        [](const std::string &) { return true; });
    CHECK(view->byId("team/ops/plans") == nullptr);
    return view->byId("team/ops")->skill->filePaths;
  };
  const std::vector<std::string> own{"SKILL.md"};
  const std::string end = "category: internal\n---\nText\n";
  const std::string good = "---\nname: plans\ndescription: Plans.\n" + end;
  SkillRules strict, basic, except;
  strict.strictness = Strictness::Strict;
  basic.strictness = Strictness::Basic;
  except.isWanted = [](std::string_view id) { return id != "team/ops/plans"; };
  CHECK(seenFiles(good, {}) == own); // a control
  CHECK(seenFiles("---\nname: plans\n" + end, {}) == own);
  CHECK(seenFiles("---\nname: {\ndescription: [\n" + end, {}) == own);
  CHECK(seenFiles(good, strict) == own);
  CHECK(seenFiles(good, basic) == own);
  CHECK(seenFiles(good, except) == own);
}

TEST_CASE("every skill of one name has a name of its own, and each name finds its skill") {
  Fixture fixture;
  fixture.add("one", {{"documents", {document("x", "SKILL.md", skillText("x"))}}});
  fixture.add("two", {{"documents",
                       {document("q/x", "SKILL.md", skillText("x")),
                        document("r/x", "SKILL.md", skillText("x")),
                        document("x", "SKILL.md", skillText("x"))}}});
  const auto catalogue = fixture.start();
  std::set<std::string> names;
  for (const CatalogueEntry &entry : catalogue->entries()) {
    names.insert(entry.name);
    CHECK(catalogue->byName(entry.name) == &entry);
  }
  CHECK(names == std::set<std::string>{"x", "two/x", "two/q/x", "two/r/x"});
}

TEST_CASE("every skill is found by its path, and within a source the folder of that name wins") {
  Fixture fixture;
  fixture.add("s", {{"documents",
                     {document("a", "SKILL.md", skillText("pdf")),
                      document("b/pdf", "SKILL.md", skillText("pdf")),
                      document("c", "SKILL.md", skillText("Azure CLI")),
                      document("d/pdf", "SKILL.md", skillText("pdf"))}}});
  const auto catalogue = fixture.start();
  CHECK(catalogue->byName("pdf")->skill->path == "b/pdf");
  for (const std::string path : {"a", "b/pdf", "c", "d/pdf"}) {
    REQUIRE(catalogue->byName("s/" + path));
    CHECK(catalogue->byName("s/" + path)->skill->path == path);
  }
  CHECK(catalogue->byName("s/pdf") == nullptr);
  for (const char *name : {"azure-cli", "Azure CLI", "azure CLI", " Azure CLI ", "Azure-CLI"}) {
    REQUIRE(catalogue->byName(name));
    CHECK(catalogue->byName(name)->name == "azure-cli");
  }
}

TEST_CASE("a written name is its own skill's, whoever has the slug") {
  Fixture fixture;
  fixture.add("s", {{"documents",
                     {document("azure-cli", "SKILL.md", skillText("azure-cli")),
                      document("spoken", "SKILL.md", skillText("Azure CLI"))}}});
  const auto catalogue = fixture.start();
  CHECK(catalogue->byName("azure-cli")->skill->path == "azure-cli");
  REQUIRE(catalogue->byName("Azure CLI"));
  CHECK(catalogue->byName("Azure CLI")->name == "s/spoken");
}

TEST_CASE("a newcomer takes no name that is served, while its holder is there") {
  const Json late = document("a", "SKILL.md", skillText("pdf", "Late."));
  const Json held = document("z", "SKILL.md", skillText("pdf", "Held."));
  const Json best = document("pdf", "SKILL.md", skillText("pdf", "Best."));
  Script one(Json::array()), two(Json::array({held}));
  Fixture fixture;
  fixture.add("one", one.configuration());
  fixture.add("two", two.configuration());
  const auto holder = [](const Catalogue &catalogue) {
    return catalogue.byName("pdf") == nullptr ? "" : catalogue.byName("pdf")->skill->id;
  };
  CHECK(holder(*fixture.start()) == "two/z");
  // The new skill belongs to an earlier source, and its folder has the name; but it appears later.
  one.write(Json::array({late}));
  auto catalogue = fixture.reload();
  CHECK(holder(*catalogue) == "two/z");
  CHECK(catalogue->byName("one/a")->name == "one/a");
  two.write(Json::array({held, best}));
  CHECK(holder(*fixture.reload()) == "two/z");
  // The holder changes and stays, so it keeps its name.
  two.write(Json::array({document("z", "SKILL.md", skillText("pdf", "Changed.")), best}));
  catalogue = fixture.reload();
  CHECK(holder(*catalogue) == "two/z");
  CHECK(catalogue->byName("pdf")->skill->fields.description == "Changed.");
  // When it is removed, the longest waiting skill gets the name. When it returns, it gets the name
  // back: a file that is being saved is missing for a moment too, and must not lose its name.
  two.write(Json::array({best}));
  CHECK(holder(*fixture.reload()) == "one/a");
  two.write(Json::array({held, best}));
  CHECK(holder(*fixture.reload()) == "two/z");
  // At a fresh start the order of the configuration and the folder's name decide.
  Fixture fresh;
  fresh.add("two", two.configuration());
  fresh.add("one", one.configuration());
  CHECK(holder(*fresh.start()) == "two/pdf");
}

TEST_CASE("an entry in lower case is announced, and found, as SKILL.md") {
  Json lower = document("a", "skill.md", skillText("a"));
  lower["entry"] = true;
  Fixture fixture;
  fixture.add("s", {{"documents", {lower, document("a", "more.md", "x")}}});
  const auto catalogue = fixture.start();
  const CatalogueEntry *const entry = catalogue->byName("a");
  REQUIRE(entry);
  CHECK(entry->listed);
  const FileReference file = catalogue->file("skill://s/a/SKILL.md");
  REQUIRE(file.entry == entry);
  CHECK(entry->skill->files[file.file] == entry->skill->entry());
  CHECK(entry->skill->announcedPath(file.file) == "SKILL.md");
  CHECK(entry->skill->announcedPath(1 - file.file) == "more.md");
  CHECK(catalogue->byUri("skill://s/a/SKILL.md") == entry);
  CHECK(catalogue->file("skill://s/a/skill.md").entry == entry);
}

TEST_CASE("a file that comes or goes makes another rendered text") {
  Json documents = Json::array({document("a", "SKILL.md", skillText("a"))});
  Script script(documents);
  Fixture fixture;
  fixture.add("s", script.configuration());
  const std::string before = fixture.start()->byName("a")->skill->contentKey;
  documents.push_back(document("a", "new.md", "x"));
  script.write(documents);
  CHECK(fixture.reload()->byName("a")->skill->contentKey != before);
}

TEST_CASE("two skills of one URI: the one whose folder it names has it") {
  Fixture fixture;
  fixture.add("s", {{"documents",
                     {document("x", "SKILL.md", skillText("y")),
                      document("x/y", "SKILL.md", skillText("y"))}}});
  const auto catalogue = fixture.start();
  REQUIRE(catalogue->entries().size() == 2);
  CHECK_FALSE(catalogue->entries()[0].listed);
  CHECK(catalogue->entries()[1].listed);
  CHECK(catalogue->byUri("skill://s/x/y") == &catalogue->entries()[1]);
}

TEST_CASE("a reload shows what changed and keeps what did not") {
  Json documents = Json::array(
      {document("a", "SKILL.md", skillText("a")), document("b", "SKILL.md", skillText("b"))});
  Script script(documents);
  Fixture fixture;
  fixture.add("s", script.configuration());
  const auto before = fixture.start();
  documents[1] = document("b", "SKILL.md", skillText("b", "New."));
  documents.push_back(document("c", "SKILL.md", skillText("c")));
  script.write(documents);
  const auto now = fixture.reload();
  CHECK(now->generation() > before->generation());
  CHECK(now->entries().size() == 3);
  CHECK(now->byName("b")->skill->fields.description == "New.");
  CHECK(now->byName("a")->skill == before->byName("a")->skill);
  CHECK(before->byName("b")->skill->fields.description == "Does it.");
  CHECK(fixture.reload()->generation() == now->generation());
}

TEST_CASE("the first change waits for no others, those that follow are read together") {
  const auto some = [](int count) {
    Json documents = Json::array();
    for (int i = 0; i < count; ++i) {
      const std::string name = "s" + std::to_string(i);
      documents.push_back(document(name, "SKILL.md", skillText(name)));
    }
    return documents;
  };
  Script script(some(1));
  std::promise<void> changed;
  bool ready = false; // used on the library's thread
  Fixture fixture(std::chrono::hours(1));
  fixture.add("s", script.configuration());
  fixture.library.onChange([&](const auto &now, const auto &) {
    if (std::exchange(ready, true) && now->entries().size() == 2) changed.set_value();
  });
  fixture.start();
  script.write(some(2));
  fixture.library.refresh();
  auto two = changed.get_future();
  REQUIRE(two.wait_for(std::chrono::minutes(1)) == std::future_status::ready);
  // The debounce is an hour now; only an explicit request reads the change earlier.
  const std::uint64_t rebuilds = fixture.library.statistics().rebuilds;
  script.write(some(3));
  fixture.library.refresh();
  script.write(some(4));
  fixture.library.refresh();
  CHECK(fixture.library.statistics().rebuilds == rebuilds);
  CHECK(fixture.reload()->entries().size() == 4);
  CHECK(fixture.library.statistics().rebuilds == rebuilds + 1);
}

TEST_CASE("who wants a reload before the start is called back with the first catalogue") {
  Fixture fixture;
  fixture.add("s", {{"documents", {document("a", "SKILL.md", skillText("a"))}}});
  std::promise<std::size_t> reloaded;
  fixture.library.reload(
      [&] { reloaded.set_value(fixture.library.catalogue()->entries().size()); });
  fixture.start();
  CHECK(reloaded.get_future().get() == 1);
}

TEST_CASE("what changed in a source is told, with the time of the last look that went well") {
  Fixture fixture;
  Script script(
      Json::array({document("a", "SKILL.md", skillText("a")),
                   document("b", "SKILL.md", skillText("b")), document("b", "more.md", "1")}));
  fixture.add("s", script.configuration());
  fixture.start();
  const auto reload = [&] {
    std::promise<void> done;
    fixture.library.reload([&] { done.set_value(); });
    done.get_future().wait();
    return fixture.library.followed().at(0);
  };
  FollowedSource followed = reload();
  CHECK(followed.name == "s");
  CHECK(followed.changes.empty()); // the first list is no change, and neither is an equal one
  REQUIRE(followed.lastSuccess);
  CHECK(followed.lastSuccess == followed.lastRefresh);
  script.write(
      Json::array({document("b", "SKILL.md", skillText("b")), document("b", "more.md", "2"),
                   document("c", "SKILL.md", skillText("c"))}));
  followed = reload();
  REQUIRE(followed.changes.size() == 1);
  const SkillChanges &change = followed.changes[0];
  CHECK(change.added.first == std::vector<std::string>{"s/c"});
  CHECK(change.changed.first == std::vector<std::string>{"s/b"});
  CHECK(change.removed.first == std::vector<std::string>{"s/a"});
  CHECK(change.added.count == 1);
  CHECK(change.revision != change.revisionBefore);
  // A failed look changes nothing, and is no answer.
  const auto answered = followed.lastSuccess;
  script.write(Json::array(), {{"list", {{"do", "UNAVAILABLE"}, {"message", "away"}}}});
  followed = reload();
  CHECK(followed.changes.size() == 1);
  CHECK(followed.lastSuccess == answered);
  CHECK(followed.lastRefresh >= answered);
  // The library names the first of very many changes, and counts all.
  Json many = Json::array();
  for (int i = 0; i < 60; ++i)
    many.push_back(document("n" + std::to_string(100 + i), "SKILL.md", skillText("n")));
  script.write(many);
  followed = reload();
  REQUIRE(followed.changes.size() == 2);
  CHECK(followed.changes[1].added.count == 60);
  CHECK(followed.changes[1].added.first.size() == SkillChanges::Ids::most);
  CHECK(followed.changes[1].added.first.front() == "s/n100");
}

TEST_CASE("a source that fails later keeps serving what was known") {
  Script script(Json::array({document("a", "SKILL.md", skillText("a"))}));
  Fixture fixture;
  fixture.add("s", script.configuration());
  fixture.start();
  fs::remove(script.configuration()["file"].get<std::string>());
  const auto now = fixture.reload();
  CHECK(now->byName("a") != nullptr);
  CHECK_FALSE(now->sources()[0].failure.empty());
}

TEST_CASE("a source that has failed and serves nothing has failed, whatever its revision is") {
  const auto state = [](const std::string &revision, std::size_t skills, const std::string &why) {
    return SourceStatus{"s", revision, skills, why}.state();
  };
  CHECK(state("", 0, "away") == "failed");
  CHECK(state("1", 0, "away") == "failed");
  CHECK(state("1", 2, "away") == "stale");
  CHECK(state("1", 0, "") == "ok");
}

TEST_CASE("a skill that cannot be read for a moment stays as it was, and is read later") {
  const auto one = [](const std::string &description) {
    return Json::array({document("a", "SKILL.md", skillText("a", description))});
  };
  const Json away{{"read", {{"do", "UNAVAILABLE"}, {"message", "upstream is down"}}}};
  Script script(one("Old."));
  Fixture fixture;
  fixture.add("s", script.configuration());
  CHECK(fixture.start()->byName("a")->skill->fields.description == "Old.");
  script.write(one("New."), away);
  auto catalogue = fixture.reload();
  REQUIRE(catalogue->byName("a"));
  CHECK(catalogue->byName("a")->skill->fields.description == "Old.");
  CHECK(catalogue->sources()[0].failure.find("upstream is down") != std::string::npos);
  script.write(one("New."));
  catalogue = fixture.reload();
  CHECK(catalogue->byName("a")->skill->fields.description == "New.");
  CHECK(catalogue->sources()[0].failure.empty());
}

TEST_CASE("what cannot be read at the first look comes when it can") {
  const Json documents = Json::array({document("a", "SKILL.md", skillText("a"))});
  Script script(documents);
  script.write(documents, {{"read", {{"do", "UNAVAILABLE"}, {"message", "upstream is down"}}}});
  Fixture fixture;
  fixture.add("s", script.configuration());
  CHECK(fixture.start()->entries().empty());
  script.write(documents);
  CHECK(fixture.reload()->entries().size() == 1);
}

TEST_CASE("a writer and eight readers: every catalogue that is seen is whole") {
  constexpr int skills = 20, rounds = 30;
  const auto version = [](int n) {
    Json documents = Json::array();
    for (int i = 0; i < skills; ++i)
      documents.push_back(
          document("s" + std::to_string(i), "SKILL.md",
                   skillText("s" + std::to_string(i), "Version " + std::to_string(n))));
    return documents;
  };
  Script script(version(0));
  Fixture fixture;
  fixture.add("s", script.configuration());
  fixture.start();
  std::atomic<bool> ended{false};
  std::atomic<int> torn{0}, seen{0};
  std::vector<std::thread> readers;
  for (int r = 0; r < 8; ++r)
    readers.emplace_back([&] {
      while (!ended) {
        const auto catalogue = fixture.library.catalogue();
        if (catalogue->entries().size() != skills) ++torn;
        const std::string &first = catalogue->entries()[0].skill->fields.description;
        for (const CatalogueEntry &entry : catalogue->entries())
          if (entry.skill->fields.description != first || catalogue->byName(entry.name) != &entry)
            ++torn;
        ++seen;
        std::this_thread::yield();
      }
    });
  for (int n = 1; n <= rounds; ++n) {
    script.write(version(n));
    CHECK(fixture.reload()->entries()[0].skill->fields.description ==
          "Version " + std::to_string(n));
  }
  ended = true;
  for (std::thread &reader : readers) reader.join();
  CHECK(torn == 0);
  CHECK(seen > 0);
}

namespace {

// Reports a change at the moment when a listener is set.
class EagerSource final : public Source {
public:
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()> listener) override { listener(); }
  void stop() override {}
  void list(CallOptions, ResultCallback<Snapshot> answer) override {
    answer(Snapshot{"1", {}, {}, {}});
  }
  void changes(CallOptions, std::string since, ResultCallback<Changes> answer) override {
    if (!said_.exchange(true)) asked.set_value(since);
    answer(Changes{since, {}, {}, {}});
  }
  void read(CallOptions, Document, std::size_t, ResultCallback<std::string> answer) override {
    answer({Fault::Stale, "it has none"});
  }
  void readEach(CallOptions, std::vector<Document>, std::size_t, Each,
                std::function<void()> done) override {
    done();
  }

  std::promise<std::string> asked;

private:
  const std::string name_ = "eager";
  std::atomic<bool> said_{false};
};

} // namespace

TEST_CASE("a source that has changed before it was listed first is asked once more") {
  const auto source = std::make_shared<EagerSource>();
  Library library(SkillRules{}, std::chrono::milliseconds(1));
  library.start({source});
  auto asked = source->asked.get_future();
  REQUIRE(asked.wait_for(std::chrono::seconds(30)) == std::future_status::ready);
  CHECK(asked.get() == "1");
  library.stop();
}

TEST_CASE("a library without sources is ready with nothing") {
  Fixture fixture;
  CHECK(fixture.start()->entries().empty());
  CHECK(fixture.reload()->entries().empty());
}
