// SPDX-License-Identifier: Apache-2.0
// Tests the history of skills: one version for each content, in order and limited in number, and
// none if the file cannot be used.
#include "catch2.hpp"
#include "database/sqlite.hpp"
#include "ground/blake3.hpp"
#include "temporary_folder.hpp"
#include "version_file.hpp"
#include "version_recorder.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <optional>

using namespace skillhost;

namespace {

constexpr std::chrono::seconds versionsPatience{60};

VersionRules quickly() {
  VersionRules rules;
  rules.pause = std::chrono::milliseconds(1);
  rules.retryInterval = std::chrono::milliseconds(1);
  return rules;
}

struct Made {
  std::string path, text;
  std::string script{}; // the source's revision of scripts/run.sh; empty if there is none
};

std::shared_ptr<const Skill> skillOf(const Made &made, const std::string &facts) {
  auto skill = std::make_shared<Skill>();
  skill->id = "shared/" + made.path;
  skill->source = "shared";
  skill->path = made.path;
  skill->facts = facts;
  skill->uri = "skill://shared/" + made.path;
  skill->entryBytes = made.text.size();
  skill->entryDigest = blake3Hex(made.text);
  skill->filePaths = {"SKILL.md"};
  Documents::List files{{made.path, "SKILL.md", made.text, "", made.text.size(), true, false}};
  if (!made.script.empty()) {
    skill->filePaths.emplace_back("scripts/run.sh");
    files.push_back({made.path, "scripts/run.sh", made.script, "", 7, false, true});
  }
  skill->files = std::move(files);
  return skill;
}

// A server that gets one catalogue after another.
class Server {
public:
  explicit Server(const VersionSettings &settings, VersionRules rules = quickly(),
                  const std::string &mark = "mark")
      : recorder_(settings, rules) {
    recorder_.follow({{"shared", mark}});
  }

  void serve(const std::vector<Made> &all, const std::string &facts = {},
             const std::string &failure = {},
             const std::optional<std::string> &revision = std::nullopt) {
    tell(all, facts, failure, revision);
    REQUIRE(recorder_.flush(versionsPatience));
  }

  void tell(const std::vector<Made> &all, const std::string &facts = {},
            const std::string &failure = {},
            const std::optional<std::string> &revision = std::nullopt) {
    std::vector<CatalogueEntry> entries;
    for (const Made &made : all) {
      auto skill = skillOf(made, facts);
      recorder_.entryRead(*skill, made.text);
      entries.push_back({std::move(skill), made.path, true, 0});
    }
    ++generation_;
    recorder_.catalogueChanged(
        std::make_shared<const Catalogue>(
            generation_, std::move(entries),
            std::vector<SourceStatus>{{"shared",
                                       revision.value_or("r" + std::to_string(generation_)),
                                       all.size(), failure}},
            std::vector<Finding>{}),
        generation_);
  }

  Result<std::vector<SkillVersion>> tried(const std::string &skill) {
    std::promise<Result<std::vector<SkillVersion>>> found;
    recorder_.list(skill,
                   [&](Result<std::vector<SkillVersion>> one) { found.set_value(std::move(one)); });
    return found.get_future().get();
  }
  std::vector<SkillVersion> list(const std::string &skill) {
    Result<std::vector<SkillVersion>> found = tried(skill);
    if (!found) FAIL(found.failure().message);
    return *found;
  }
  Result<VersionContent> show(const std::string &skill, std::int64_t version) {
    std::promise<Result<VersionContent>> found;
    recorder_.show(skill, version,
                   [&](Result<VersionContent> one) { found.set_value(std::move(one)); });
    return found.get_future().get();
  }
  VersionRecorder &recorder() { return recorder_; }

private:
  VersionRecorder recorder_;
  std::uint64_t generation_ = 0;
};

} // namespace

TEST_CASE("versions follow upon each other, also when the server starts again in between") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/cache/versions.sqlite";
  {
    Server server(settings);
    server.serve({{"pdf", "one\n"}, {"csv", "table\n"}}, R"({"commit":"aaa"})");
    server.serve({{"pdf", "two\n"}, {"csv", "table\n"}}, R"({"commit":"bbb"})");
  }
  Server server(settings);
  server.serve({{"pdf", "two\n"}, {"csv", "table\n"}}, R"({"commit":"ccc"})"); // unchanged
  CHECK(server.list("shared/pdf").size() == 2);
  server.serve({{"pdf", "three\n"}, {"csv", "table\n"}}, R"({"commit":"ddd"})");
  const std::vector<SkillVersion> all = server.list("shared/pdf");
  REQUIRE(all.size() == 3);
  CHECK(all[0].digest == blake3Hex("three\n"));
  CHECK_FALSE(all[0].until);
  CHECK(all[0].facts == R"({"commit":"ddd"})");
  CHECK(all[1].facts == R"({"commit":"bbb"})");
  CHECK(all[2].facts == R"({"commit":"aaa"})");
  REQUIRE(all[1].until);
  REQUIRE(all[2].until);
  CHECK(*all[2].until <= all[1].since);
  CHECK(*all[1].until <= all[0].since);
  for (const auto &[at, text] : {std::pair{0, "three\n"}, {1, "two\n"}, {2, "one\n"}}) {
    const Result<VersionContent> content = server.show("shared/pdf", all.at(at).id);
    REQUIRE(content);
    CHECK(content->text == text);
  }
  CHECK(server.list("shared/csv").size() == 1);
  // Another skill and an unknown skill have no such version.
  CHECK(server.show("shared/csv", all[0].id).failure().fault == Fault::NotFound);
  CHECK(server.list("shared/none").empty());
  CHECK(server.list("other/pdf").empty());
}

TEST_CASE("a skill that is gone has ended, and comes back as another version") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  {
    Server server(settings);
    server.serve({{"pdf", "one\n"}, {"csv", "table\n"}});
    server.serve({{"csv", "table\n"}});
    REQUIRE(server.list("shared/pdf").size() == 1);
    CHECK(server.list("shared/pdf")[0].until);
    server.serve({{"pdf", "one\n"}, {"csv", "table\n"}});
    CHECK(server.list("shared/pdf").size() == 2);
  }
  Server server(settings);
  server.serve({}, {}, "it cannot be reached"); // it is unknown whether the skills still exist
  CHECK_FALSE(server.list("shared/pdf")[0].until);
  server.serve({{"csv", "table\n"}}); // the skill was removed while no server ran
  CHECK(server.list("shared/pdf")[0].until);
  CHECK_FALSE(server.list("shared/csv")[0].until);
}

TEST_CASE("another file is another version, but not when its disk is another one at a start") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  {
    Server server(settings);
    server.serve({{"pdf", "one\n", "inode 1"}});
    server.serve({{"pdf", "one\n", "inode 2"}});
    const std::vector<SkillVersion> all = server.list("shared/pdf");
    REQUIRE(all.size() == 2);
    const auto now = server.show("shared/pdf", all[0].id);
    const auto before = server.show("shared/pdf", all[1].id);
    REQUIRE(now);
    REQUIRE(before);
    REQUIRE(now->files.size() == 2);
    CHECK(now->files[0].path == "SKILL.md");
    CHECK(now->files[0].mark == before->files[0].mark);
    CHECK(now->files[1].path == "scripts/run.sh");
    CHECK(now->files[1].size == 7);
    CHECK(now->files[1].mark != before->files[1].mark);
    CHECK(before->text == "one\n"); // both versions have it
  }
  Server server(settings);
  server.serve({{"pdf", "one\n", "inode 3"}});
  CHECK(server.list("shared/pdf").size() == 2);
}

TEST_CASE("of a source that is another one there is another history") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  {
    Server server(settings);
    server.serve({{"pdf", "of one\n"}});
  }
  Server server(settings, quickly(), "another mark");
  CHECK(server.list("shared/pdf").empty());
  server.serve({{"pdf", "of the other\n"}});
  REQUIRE(server.list("shared/pdf").size() == 1);
  CHECK(server.list("shared/pdf")[0].digest == blake3Hex("of the other\n"));
}

TEST_CASE("versions of one skill, and the length of a text, are bounded") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  settings.maxVersionsPerSkill = 3;
  VersionRules rules = quickly();
  rules.maxTextBytes = 100;
  Server server(settings, rules);
  for (int i = 0; i < 10; ++i) server.serve({{"pdf", "text " + std::to_string(i)}});
  CHECK(server.list("shared/pdf").size() == 3);
  CHECK(server.list("shared/pdf")[0].digest == blake3Hex("text 9"));
  server.serve({{"pdf", std::string(101, 'x')}});
  const SkillVersion last = server.list("shared/pdf").at(0);
  CHECK_FALSE(last.hasText);
  CHECK_FALSE(server.show("shared/pdf", last.id)->text);
  server.recorder().stop();
  Database file(settings.path, Database::Mode::Read);
  CHECK(file.number("SELECT count(*) FROM versions") == 3);
  // These are the texts of the two remaining versions that are not too long.
  CHECK(file.number("SELECT count(*) FROM texts") == 2);
}

TEST_CASE("the file keeps its bound: what ended first goes, what is served stays") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  settings.maxBytes = 1U << 20U;
  settings.maxVersionsPerSkill = 1'000;
  Server server(settings);
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text = std::string(50'000, 'a') + std::to_string(i);
    server.serve({{"pdf", text}, {"csv", "table\n"}});
  }
  const std::vector<SkillVersion> all = server.list("shared/pdf");
  CHECK(all.size() > 5);
  CHECK(all.size() < 30);
  CHECK(all[0].digest == blake3Hex(text));
  CHECK(server.list("shared/csv").size() == 1);
  server.recorder().stop();
  CHECK(std::filesystem::file_size(settings.path) <= settings.maxBytes);
}

TEST_CASE("a version that ended too long ago goes") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  settings.keepDays = 10;
  {
    Server server(settings);
    server.serve({{"pdf", "one\n"}});
    server.serve({{"pdf", "two\n"}});
  }
  {
    Database file(settings.path, Database::Mode::Write);
    file.run("UPDATE versions SET since = 0, until = 1 WHERE until IS NOT NULL");
  }
  Server server(settings);
  server.serve({{"pdf", "three\n"}});
  const std::vector<SkillVersion> all = server.list("shared/pdf");
  REQUIRE(all.size() == 2);
  CHECK(all[1].digest == blake3Hex("two\n"));
}

TEST_CASE("what is served stays, however long nothing in its source has changed") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  settings.keepDays = 10;
  Server server(settings);
  server.serve({{"pdf", "one\n"}, {"csv", "table\n"}});
  {
    Database file(settings.path, Database::Mode::Write);
    file.run("UPDATE sources SET seen = 1; UPDATE versions SET since = 1");
  }
  server.serve({{"pdf", "two\n"}, {"csv", "table\n"}});
  CHECK(server.list("shared/pdf").size() == 2);
  CHECK(server.list("shared/csv").size() == 1);
}

TEST_CASE("texts leave room for versions, and those of no version go first") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  settings.maxBytes = 1U << 20U;
  Server server(settings);
  server.serve({{"csv", "table\n"}});
  server.serve({{"csv", "another table\n"}});
  {
    Database file(settings.path, Database::Mode::Write);
    // These texts belong to catalogues that never arrived.
    for (int i = 0; i < 30; ++i)
      file.run(("INSERT INTO texts VALUES('none" + std::to_string(i) + "', 1, '" +
                std::string(30'000, 'a') + "')")
                   .c_str());
  }
  std::vector<Made> many;
  many.push_back({"csv", "another table\n"});
  for (int i = 0; i < 40; ++i)
    many.push_back({"s" + std::to_string(i), std::string(50'000, 'b') + std::to_string(i)});
  server.serve(many);
  for (const Made &one : many)
    CHECK(server.list("shared/" + one.path).at(0).bytes == one.text.size());
  CHECK(server.list("shared/s0")[0].hasText);
  CHECK_FALSE(server.list("shared/s39")[0].hasText);
}

TEST_CASE("what a source served before it is another one is nothing of the other's history") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  Server server(settings);
  server.serve({{"pdf", "of one\n"}});
  server.recorder().follow({{"shared", "another mark"}});
  server.serve({{"pdf", "of one\n"}}, {}, {}, "");
  CHECK(server.list("shared/pdf").empty());
  server.serve({{"pdf", "of the other\n"}});
  REQUIRE(server.list("shared/pdf").size() == 1);
  CHECK(server.list("shared/pdf")[0].digest == blake3Hex("of the other\n"));
}

TEST_CASE("a file that is lost is written again without another catalogue") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  Server server(settings);
  server.serve({{"pdf", "one\n"}});
  for (const char *end : {"", "-wal", "-shm"}) std::filesystem::remove(settings.path + end);
  // A question finds out that the file is lost.
  const auto end = std::chrono::steady_clock::now() + versionsPatience;
  while (server.list("shared/pdf").empty() && std::chrono::steady_clock::now() < end) {}
  CHECK(server.list("shared/pdf").size() == 1);
}

TEST_CASE("a text for which no room is left while it waits is not kept, and the version is") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  VersionRules rules = quickly();
  rules.waitingBytes = 3;
  Server server(settings, rules);
  server.serve({{"pdf", "one\n"}});
  REQUIRE(server.list("shared/pdf").size() == 1);
  CHECK_FALSE(server.list("shared/pdf")[0].hasText);
}

TEST_CASE("a damaged file is set aside, and the history begins anew") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  {
    Server server(settings);
    server.serve({{"pdf", std::string(60'000, 'a')}});
  }
  {
    std::fstream file(settings.path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(4'096);
    const std::string noise(32'768, '\x5a');
    file.write(noise.data(), static_cast<std::streamsize>(noise.size()));
  }
  Server server(settings);
  server.serve({{"pdf", "two\n"}});
  REQUIRE(server.list("shared/pdf").size() == 1);
  CHECK(server.list("shared/pdf")[0].digest == blake3Hex("two\n"));
  CHECK(std::filesystem::exists(settings.path + ".damaged"));
}

TEST_CASE("a file of another program, or of a later version, is left as it is") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  std::string why;
  SECTION("no database") {
    std::ofstream(settings.path) << "listen: 127.0.0.1:8080\n" << std::string(8'192, '#');
    why = "not a database";
  }
  SECTION("of another program") {
    Database(settings.path, Database::Mode::Write).run("CREATE TABLE theirs(a)");
    why = "another program's";
  }
  SECTION("of a later version") {
    { Server(settings).serve({{"pdf", "one\n"}}); }
    Database(settings.path, Database::Mode::Write).run("PRAGMA user_version=99");
    why = "newer skillhost";
  }
  {
    VersionRules rules = quickly();
    rules.retryInterval = std::chrono::hours(1);
    Server server(settings, rules);
    server.tell({{"pdf", "two\n"}});
    const auto found = server.tried("shared/pdf");
    REQUIRE_FALSE(found);
    CHECK(found.failure().fault == Fault::Unavailable);
    CHECK(found.failure().message.find(why) != std::string::npos);
  }
  CHECK(std::filesystem::exists(settings.path));
  CHECK_FALSE(std::filesystem::exists(settings.path + ".damaged"));
}

TEST_CASE("a file that another process holds is waited for") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  {
    Server server(settings);
    server.serve({{"pdf", "one\n"}});
  }
  Server server(settings);
  {
    Database other(settings.path, Database::Mode::Write);
    Transaction held(other);
    server.tell({{"pdf", "two\n"}});
    CHECK_FALSE(server.recorder().flush(std::chrono::milliseconds(50)));
  }
  REQUIRE(server.recorder().flush(versionsPatience));
  CHECK(server.list("shared/pdf").size() == 2);
}

TEST_CASE("what is asked at the end is refused") {
  const TemporaryFolder folder;
  VersionSettings settings;
  settings.path = folder.path() + "/versions.sqlite";
  Server server(settings);
  server.serve({{"pdf", "one\n"}});
  server.recorder().stop();
  const auto found = server.tried("shared/pdf");
  REQUIRE_FALSE(found);
  CHECK(found.failure().fault == Fault::Cancelled);
  server.tell({{"pdf", "two\n"}}); // nobody receives it
}
