// SPDX-License-Identifier: Apache-2.0
// Tests that the reasons for an unusable file are distinguished, and that nothing in a file is
// executed.
#include "catch2.hpp"
#include "database/sqlite.hpp"
#include "temporary_folder.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <optional>

using namespace skillhost;
using Kind = DatabaseError::Kind;
using Mode = Database::Mode;

namespace {

template <class Action> std::optional<Kind> failureOf(const Action &action) {
  try {
    action();
    return std::nullopt;
  } catch (const DatabaseError &error) {
    return error.kind();
  }
}

} // namespace

TEST_CASE("rows come back as they were bound, and statements are used again") {
  Database database("", Mode::Memory);
  database.run("CREATE TABLE t(a INTEGER, b TEXT)");
  Statement insert(database, "INSERT INTO t VALUES(?, ?)");
  const std::string bytes("with\0zero", 9);
  CHECK(insert.bind(1, 1).bind(2, bytes).run() == 1);
  CHECK(insert.bind(1, -(std::int64_t{1} << 62)).bind(2, std::string_view{}).run() == 1);
  CHECK(insert.bind(1, 3).bindNothing(2).run() == 1);
  Statement select(database, "SELECT a, b FROM t WHERE b IS NOT NULL ORDER BY a");
  REQUIRE(select.step());
  CHECK(select.number(0) == -(std::int64_t{1} << 62));
  CHECK(select.text(1).empty());
  REQUIRE(select.step());
  CHECK(select.text(1) == bytes);
  CHECK_FALSE(select.step());
  CHECK(database.number("SELECT count(*) FROM t") == 3);
  CHECK(database.number("SELECT a FROM t WHERE a = 7") == 0);
}

TEST_CASE("a transaction that is not committed leaves nothing") {
  Database database("", Mode::Memory);
  database.run("CREATE TABLE t(a INTEGER)");
  {
    const Transaction undone(database);
    database.run("INSERT INTO t VALUES(1)");
  }
  CHECK(database.number("SELECT count(*) FROM t") == 0);
  {
    Transaction kept(database);
    database.run("INSERT INTO t VALUES(1)");
    kept.commit();
  }
  CHECK(database.number("SELECT count(*) FROM t") == 1);
}

TEST_CASE("a new file is its owner's alone, and a reader makes none") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/below/some.sqlite";
  CHECK(failureOf([&] { const Database absent(path, Mode::Read); }) == Kind::Absent);
  CHECK(withDatabaseFolder(path) == path);
  Database(path, Mode::Write).run("CREATE TABLE t(a INTEGER)");
  struct stat facts{};
  REQUIRE(::stat(path.c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777U) == 0600U);
  Database reader(path, Mode::Read);
  CHECK(reader.number("SELECT count(*) FROM t") == 0);
  CHECK(failureOf([&] { reader.run("INSERT INTO t VALUES(1)"); }) == Kind::Other);
  CHECK(failureOf([&] { const Database folders(folder.path(), Mode::Read); }) == Kind::Other);
}

TEST_CASE("what is no database, what is held and what is damaged are told apart") {
  const TemporaryFolder folder;
  const std::string text = folder.path() + "/text", path = folder.path() + "/some.sqlite";
  std::ofstream(text) << std::string(4'096, 'x');
  CHECK(failureOf([&] { Database(text, Mode::Write).run("CREATE TABLE t(a)"); }) == Kind::Foreign);

  Database first(path, Mode::Write), second(path, Mode::Write);
  first.run("CREATE TABLE t(a TEXT)");
  {
    const Transaction holding(first);
    CHECK(failureOf([&] { const Transaction waiting(second); }) == Kind::Busy);
  }
  for (int i = 0; i < 100; ++i) first.run("INSERT INTO t VALUES(hex(randomblob(500)))");
  const auto size = std::filesystem::file_size(path);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4'096);
  file << std::string(static_cast<std::size_t>(size) - 4'096, '\xff');
  file.close();
  CHECK(failureOf([&] { Database(path, Mode::Read).number("SELECT sum(length(a)) FROM t"); }) ==
        Kind::Damaged);
  CHECK(setDatabaseAside(path));
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK(std::filesystem::exists(path + ".damaged"));
  CHECK_FALSE(setDatabaseAside(path));
}

TEST_CASE("a question that nobody waits for any more is stopped") {
  Database database("", Mode::Memory);
  bool isEnough = false;
  database.stopWhen([&] { return isEnough; });
  const char *const counting = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                               "LIMIT 1000000) SELECT count(*) FROM n";
  CHECK(database.number(counting) == 1'000'000);
  isEnough = true;
  CHECK(failureOf([&] { database.number(counting); }) == Kind::Stopped);
}

TEST_CASE("a file cannot have what SQLite keeps for itself written") {
  Database database("", Mode::Memory);
  database.run("CREATE TABLE t(a)");
  database.run("PRAGMA writable_schema = ON");
  CHECK(failureOf([&] { database.run("UPDATE sqlite_schema SET sql = 'CREATE TABLE t(b)'"); }) ==
        Kind::Other);
}
