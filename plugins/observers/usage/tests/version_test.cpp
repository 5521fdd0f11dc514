// SPDX-License-Identifier: Apache-2.0
// Tests files of an older version: they are read unchanged, and converted when they are written.
#include "recorded.hpp"

#include "database/sqlite.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>

using namespace skillhost;

namespace {

// A file as version 1 made it, with three uses.
constexpr const char *versionOne = R"(
PRAGMA auto_vacuum=INCREMENTAL;
PRAGMA journal_mode=WAL;
CREATE TABLE subjects(
  id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, skill TEXT NOT NULL, source TEXT NOT NULL,
  path TEXT NOT NULL, digest TEXT NOT NULL, principal TEXT NOT NULL, client TEXT NOT NULL,
  outcome TEXT NOT NULL, last INTEGER NOT NULL);
CREATE TABLE events(
  id INTEGER PRIMARY KEY, time INTEGER NOT NULL, subject INTEGER NOT NULL,
  microseconds INTEGER NOT NULL, asked TEXT);
CREATE VIEW uses AS
  SELECT datetime(time/1000, 'unixepoch') AS time,
    CASE kind WHEN 0 THEN 'load' WHEN 1 THEN 'read' WHEN 2 THEN 'search' ELSE 'refusal' END AS kind,
    skill, source, path, digest, principal, client, microseconds, outcome, asked
  FROM events JOIN subjects ON subjects.id = events.subject ORDER BY events.id;
PRAGMA application_id=1936422259;
PRAGMA user_version=1;
CREATE TABLE identity(id TEXT NOT NULL);
INSERT INTO identity VALUES('00112233445566778899aabbccddeeff');
INSERT INTO subjects VALUES(7, 0, 'pdf', 'shared', 'team/pdf', 'sha256:0011', '', 'editor', 'ok', 2);
INSERT INTO subjects VALUES(8, 2, '', '', '', '', '', 'editor', 'nothing', 3);
INSERT INTO events VALUES(1, 1785196800000, 7, 100, NULL);
INSERT INTO events VALUES(2, 1785196801000, 7, 300, NULL);
INSERT INTO events VALUES(3, 1785196802000, 8, 500, 'make a cake');
)";

struct OldFile {
  UsageFolder folder;
  OldFile() {
    std::filesystem::create_directories(std::filesystem::path(folder.path).parent_path());
    Database(folder.path, Database::Mode::Write).run(versionOne);
  }
  UsageSettings settings() const {
    UsageSettings made = folder.settings();
    made.keepDays = 36'500;
    return made;
  }
  std::int64_t number(const char *sql) const {
    return Database(folder.path, Database::Mode::Read).number(sql);
  }
};

} // namespace

TEST_CASE("a file of version 1 is read as it is") {
  const OldFile old;
  const std::vector<UsageRow> skills = rowsOf(old.folder.path);
  REQUIRE(skills.size() == 1);
  CHECK(skills[0].loads == 2);
  CHECK(skills[0].meanMicroseconds == 200);
  CHECK(rowsOf(old.folder.path, UsageBy::Query).at(0).searches == 1);
  CHECK(rowsOf(old.folder.path, UsageBy::Day).at(0).all() == 3);
  const Result<Json> summary = usageSummary(old.folder.path, {}, {}, UsageOf::All);
  REQUIRE(summary);
  CHECK((*summary)["totals"]["loads"] == 2);
  CHECK((*summary)["skills"].at(0)["used_by"].at(0)["count"] == 2);
  CHECK(*usageFileId(old.folder.path) == "00112233445566778899aabbccddeeff");
  CHECK(old.number("PRAGMA user_version") == 1);

  // The order does not matter beside a file of this version.
  const UsageFolder other;
  { UsageRecorder(other.settings(), quickly()).record(loadOf("pdf")); }
  for (const std::vector<std::string> &paths :
       {std::vector{old.folder.path, other.path}, std::vector{other.path, old.folder.path}}) {
    const auto rows = usageRows(paths, {});
    REQUIRE(rows);
    CHECK(rows->at(0).loads == 3);
  }
}

TEST_CASE("a file of version 1 goes on as one of this version, with all that is in it") {
  const OldFile old;
  // A server of the older version keeps the file open.
  Database older(old.folder.path, Database::Mode::Write);
  Statement add(older,
                "INSERT INTO events(time, subject, microseconds, asked) VALUES(?1, 7, 200, NULL)");
  add.bind(1, 1'785'196'803'000).run();
  {
    UsageRecorder recorder(old.settings(), quickly());
    for (int i = 0; i < 5; ++i) {
      UseEvent event = loadOf("pdf");
      event.time = 1'785'196'804'000;
      recorder.record(event);
    }
    REQUIRE(recorder.flush(usagePatience));
    CHECK(old.number("PRAGMA user_version") == 2);
    CHECK(old.number("SELECT count(*) FROM events") == 5);
    add.bind(1, 1'785'196'805'000).run();
  }
  CHECK(old.number("SELECT sum(count) FROM events") == 10);
  const std::vector<UsageRow> skills = rowsOf(old.folder.path);
  REQUIRE(skills.size() == 1);
  CHECK(skills[0].loads == 9);
  CHECK(skills[0].last == 1'785'196'805'000);
  CHECK(skills[0].meanMicroseconds == (100 + 300 + 200 + 5 * 120 + 200) / 9);
  CHECK(rowsOf(old.folder.path, UsageBy::Query).at(0).searches == 1);
  CHECK(*usageFileId(old.folder.path) == "00112233445566778899aabbccddeeff");
  CHECK(old.number("SELECT sum(count) FROM uses") == 10);
  CHECK(old.number("SELECT microseconds FROM uses WHERE count = 5") == 120);
  // A second start needs no conversion.
  { UsageRecorder(old.settings(), quickly()).record(loadOf("pdf")); }
  CHECK(rowsOf(old.folder.path).at(0).loads == 10);
}

TEST_CASE("who asks while a file of version 1 becomes another has an answer of one moment") {
  const OldFile old;
  Database reader(old.folder.path, Database::Mode::Read);
  reader.run("BEGIN");
  CHECK(reader.number("SELECT count(*) FROM events") == 3);
  { UsageRecorder(old.settings(), quickly()).record(loadOf("pdf")); }
  CHECK(reader.number("PRAGMA user_version") == 1);
  CHECK(reader.number("SELECT count(*) FROM events") == 3);
  reader.run("COMMIT");
  CHECK(reader.number("PRAGMA user_version") == 2);
}

TEST_CASE("two processes that bring one file to this version do it once") {
  const OldFile old;
  {
    UsageRecorder one(old.settings(), quickly()), other(old.settings(), quickly());
    one.record(loadOf("pdf"));
    other.record(loadOf("chart"));
    CHECK(one.flush(usagePatience));
    CHECK(other.flush(usagePatience));
  }
  CHECK(old.number("SELECT sum(count) FROM events") == 5);
  CHECK(rowsOf(old.folder.path).size() == 2);
}
