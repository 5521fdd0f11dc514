// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "plugin/registry.hpp"
#include "skills/library.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <string>
#include <thread>

using namespace skillhost;
namespace fs = std::filesystem;

namespace {

std::string skillText(const std::string &name, const std::string &description = "Does it.") {
  return "---\nname: " + name + "\ndescription: " + description + "\n---\nBody of " + name + "\n";
}

Json document(const std::string &skill, const std::string &path, const std::string &text) {
  return {{"skill", skill}, {"path", path}, {"text", text}};
}

// A script that can be rewritten while the source runs.
class Script {
public:
  explicit Script(const Json &documents) { write(documents); }
  ~Script() { fs::remove(path_); }
  void write(const Json &documents, const Json &more = Json::object()) {
    const std::string next = path_ + ".next";
    Json all{{"documents", documents}};
    all.update(more);
    std::ofstream(next) << all.dump();
    fs::rename(next, path_);
  }
  Json configuration() const { return {{"file", path_}}; }

private:
  static std::string unused() {
    static std::atomic<int> number{0};
    return (fs::temp_directory_path() / ("skillhost-script-" + std::to_string(::getpid()) + "-" +
                                         std::to_string(++number) + ".json"))
        .string();
  }
  const std::string path_ = unused();
};

struct Fixture {
  PluginRegistry plugins{{FIXTURE_FOLDER}};
  std::vector<std::shared_ptr<Source>> sources;
  Library library{SkillRules{}, std::chrono::milliseconds(1)};

  void add(const std::string &name, const Json &configuration) {
    auto made = plugins.makeSource({name, "scripted", configuration.dump(), {}});
    REQUIRE(made);
    sources.push_back(*std::move(made));
  }
  std::shared_ptr<const Catalogue> start() {
    library.start(sources);
    std::promise<void> ready;
    library.whenReady([&] { ready.set_value(); });
    ready.get_future().wait();
    return library.catalogue();
  }
  std::shared_ptr<const Catalogue> reload() {
    std::promise<void> done;
    library.reload([&] { done.set_value(); });
    done.get_future().wait();
    return library.catalogue();
  }
};

} // namespace

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
  CHECK(names == std::set<std::string>{"x", "two/x", "two/x-2", "two/x-3"});
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

TEST_CASE("two skills of one URI: the second is withheld") {
  Fixture fixture;
  fixture.add("s", {{"documents",
                     {document("x", "SKILL.md", skillText("y")),
                      document("x/y", "SKILL.md", skillText("y"))}}});
  const auto catalogue = fixture.start();
  REQUIRE(catalogue->entries().size() == 2);
  CHECK(catalogue->entries()[0].listed);
  CHECK_FALSE(catalogue->entries()[1].listed);
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

TEST_CASE("a library without sources is ready with nothing") {
  Fixture fixture;
  CHECK(fixture.start()->entries().empty());
  CHECK(fixture.reload()->entries().empty());
}
