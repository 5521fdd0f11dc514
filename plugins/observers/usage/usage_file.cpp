// SPDX-License-Identifier: Apache-2.0
#include "usage_file.hpp"

#include "ground/blake3.hpp"
#include "ground/random.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace skillhost {
namespace {

constexpr std::int64_t applicationId = 0x736b7573; // "skus"
constexpr int patience = 1'000;                    // in milliseconds, to wait for another process
constexpr std::int64_t stepEvents = 5'000;         // removed in one transaction
constexpr std::size_t maxKnownSubjects = 100'000;  // number of subjects in memory
constexpr std::int64_t crowdedShare = 9;           // tenths of the limit at which pruning begins
constexpr std::int64_t clockSlack = 60'000;        // in milliseconds that clocks may differ by

// A row of events is one or more uses of a subject in one second: their number is `count`, their
// latencies are added up, and the time is that of the newest. `last` is the newest row of a
// subject; the subject is removed with it. The id of a subject is a hash of all of its fields, so
// that several processes give it the same id without coordination.
constexpr const char *tables = R"(
CREATE TABLE subjects(
  id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, skill TEXT NOT NULL, source TEXT NOT NULL,
  path TEXT NOT NULL, digest TEXT NOT NULL, principal TEXT NOT NULL, client TEXT NOT NULL,
  outcome TEXT NOT NULL, last INTEGER NOT NULL);
CREATE TABLE events(
  id INTEGER PRIMARY KEY, time INTEGER NOT NULL, subject INTEGER NOT NULL,
  microseconds INTEGER NOT NULL, asked TEXT, count INTEGER NOT NULL DEFAULT 1);
)";

constexpr const char *usesView = R"(
CREATE VIEW uses AS
  SELECT datetime(time/1000, 'unixepoch') AS time,
    CASE kind WHEN 0 THEN 'load' WHEN 1 THEN 'read' WHEN 2 THEN 'search' ELSE 'refusal' END AS kind,
    skill, source, path, digest, principal, client, microseconds / count AS microseconds, outcome,
    asked, count
  FROM events JOIN subjects ON subjects.id = events.subject ORDER BY events.id;
)";

// A process that has the file open as version 1 can continue: each row that it writes counts as
// one.
constexpr const char *countsForVersion1 = R"(
ALTER TABLE events ADD COLUMN count INTEGER NOT NULL DEFAULT 1;
DROP VIEW IF EXISTS uses;
)";

void setVersion(Database &database) {
  database.run(("PRAGMA user_version=" + std::to_string(usageVersion)).c_str());
}

void appendPart(std::string &key, std::string_view part) {
  const auto size = static_cast<std::uint32_t>(part.size());
  std::array<char, sizeof size> bytes{};
  std::memcpy(bytes.data(), &size, sizeof size);
  key.append(bytes.data(), bytes.size()).append(part);
}

// Returns a number from 1 to 2^63 - 1.
std::int64_t idOf(std::string_view key) {
  Blake3 hash;
  hash.add(key);
  const Blake3::Digest digest = hash.finish();
  std::uint64_t number = 0;
  std::memcpy(&number, digest.data(), sizeof number);
  return static_cast<std::int64_t>(std::max<std::uint64_t>(number >> 1U, 1));
}

} // namespace

void layUsageTables(Database &database) {
  database.run(tables);
  database.run(usesView);
  database.run(("PRAGMA application_id=" + std::to_string(applicationId)).c_str());
  setVersion(database);
}

// Older servers have created no such table, and ignore it.
std::string usageIdentity(Database &database) {
  if (database.number("SELECT count(*) FROM sqlite_master WHERE name = 'identity'") == 0) return {};
  Statement statement(database, "SELECT id FROM identity");
  return statement.step() ? statement.text(0) : std::string();
}

void checkUsageVersion(Database &database) {
  const std::int64_t owner = database.number("PRAGMA application_id");
  const std::int64_t version = database.number("PRAGMA user_version");
  if (owner != applicationId)
    throw DatabaseError(DatabaseError::Kind::Foreign, "it is another program's database");
  if (version > usageVersion)
    throw DatabaseError(DatabaseError::Kind::Foreign,
                        "a newer skillhost has written it (version " + std::to_string(version) +
                            ", this one knows " + std::to_string(usageVersion) + ")");
}

const char *usesOfRow(Database &database) {
  return database.number("PRAGMA user_version") < 2 ? "1" : "count";
}

UsageFile::UsageFile(const std::string &path, std::size_t maxBytes)
    : path_(path), maxBytes_(static_cast<std::int64_t>(maxBytes)),
      database_(withDatabaseFolder(path), Database::Mode::Write) {
  struct stat found{};
  if (::stat(path.c_str(), &found) == 0) {
    device_ = found.st_dev;
    inode_ = found.st_ino;
  }
}

void UsageFile::prepare() {
  if (prepared_) return;
  database_.waitFor(patience);
  // This setting is stored in the file, and only works before it has tables.
  database_.run("PRAGMA auto_vacuum=INCREMENTAL");
  if (database_.number("SELECT count(*) FROM sqlite_master") == 0 &&
      database_.number("PRAGMA user_version") == 0)
    makeTables();
  checkUsageVersion(database_);
  if (database_.number("PRAGMA user_version") == 1) addCounts();
  if (usageIdentity(database_).empty()) giveIdentity();
  // Committed data survives the end of the process. Only the last moments may be lost if the
  // machine fails.
  database_.run("PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=4194304; "
                "PRAGMA cache_size=-2048; PRAGMA temp_store=MEMORY");
  pageBytes_ = database_.number("PRAGMA page_size");
  prepared_ = true;
}

void UsageFile::makeTables() {
  database_.run("PRAGMA journal_mode=WAL");
  Transaction transaction(database_);
  // Another process may have been faster.
  if (database_.number("SELECT count(*) FROM sqlite_master") != 0) return;
  layUsageTables(database_);
  transaction.commit();
}

void UsageFile::giveIdentity() {
  constexpr std::size_t bytes = 16;
  Transaction transaction(database_);
  if (!usageIdentity(database_).empty()) return; // another process was faster
  database_.run("CREATE TABLE IF NOT EXISTS identity(id TEXT NOT NULL)");
  database_.run(("INSERT INTO identity VALUES('" + randomHex(bytes) + "')").c_str());
  transaction.commit();
}

// Existing rows are not changed: each counts as one.
void UsageFile::addCounts() {
  Transaction transaction(database_);
  if (database_.number("PRAGMA user_version") != 1) return; // another process was faster
  database_.run(countsForVersion1);
  database_.run(usesView);
  setVersion(database_);
  transaction.commit();
}

std::int64_t UsageFile::subjectOf(const UsageLine &line) {
  const UseSubject<std::string> &said = line.entry.subject;
  key_.assign(1, static_cast<char>(said.kind));
  for (const std::string *part : {&said.skill, &said.source, &said.path, &said.digest,
                                  &line.principal, &said.client, &said.outcome})
    appendPart(key_, *part);
  const auto known = subjects_.find(key_);
  if (known != subjects_.end()) return known->second;
  if (subjects_.size() >= maxKnownSubjects) subjects_.clear();
  return subjects_.emplace(key_, idOf(key_)).first->second;
}

void UsageFile::append(std::span<const UsageLine> lines) {
  Transaction transaction(database_);
  Statement event(database_, "INSERT INTO events(time, subject, microseconds, asked, count) "
                             "VALUES(?1, ?2, ?3, ?4, ?5)");
  std::int64_t id = database_.number("SELECT coalesce(max(id), 0) FROM events");
  Newest newest;
  for (const UsageLine &line : lines) {
    const std::int64_t of = subjectOf(line);
    const UsageEntry &entry = line.entry;
    event.bind(1, entry.time).bind(2, of).bind(3, entry.microseconds);
    if (entry.text.empty())
      event.bindNothing(4);
    else
      event.bind(4, entry.text);
    event.bind(5, entry.count).run();
    newest.insert_or_assign(of, std::pair(&line, ++id));
  }
  noteNewest(newest);
  transaction.commit();
}

// Most subjects exist already, so an update is tried first.
void UsageFile::noteNewest(const Newest &newest) {
  Statement known(database_, "UPDATE subjects SET last = ?2 WHERE id = ?1");
  Statement added(database_,
                  "INSERT INTO subjects VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
  for (const auto &[of, last] : newest) {
    const auto &[line, event] = last;
    if (known.bind(1, of).bind(2, event).run() != 0) continue;
    const UseSubject<std::string> &said = line->entry.subject;
    added.bind(1, of).bind(2, static_cast<std::int64_t>(said.kind)).bind(3, said.skill);
    added.bind(4, said.source).bind(5, said.path).bind(6, said.digest);
    added.bind(7, line->principal).bind(8, said.client).bind(9, said.outcome);
    added.bind(10, event).run();
  }
}

bool UsageFile::isCrowded() {
  const std::int64_t used =
      database_.number("PRAGMA page_count") - database_.number("PRAGMA freelist_count");
  return used * pageBytes_ > maxBytes_ / 10 * crowdedShare;
}

bool UsageFile::prune(std::int64_t oldest, std::int64_t now) {
  const bool crowded = isCrowded();
  // Removes up to the first row that stays. A row with a time in the future comes from another
  // clock, and does not keep the rows after it.
  Statement find(database_,
                 "WITH first AS (SELECT id, time FROM events ORDER BY id LIMIT ?1) "
                 "SELECT max(id), count(*) FROM first WHERE id < ifnull((SELECT min(id) FROM first "
                 "WHERE NOT ?2 AND time BETWEEN ?3 AND ?4), 9223372036854775807)");
  find.bind(1, stepEvents).bind(2, crowded ? 1 : 0).bind(3, oldest).bind(4, now + clockSlack);
  find.step();
  const std::int64_t last = find.number(0), count = find.number(1);
  find.reset();
  if (count != 0) {
    Transaction transaction(database_);
    Statement subjects(database_, "DELETE FROM subjects WHERE last <= ?1 AND id IN "
                                  "(SELECT subject FROM events WHERE id <= ?1)");
    subjects.bind(1, last).run();
    Statement events(database_, "DELETE FROM events WHERE id <= ?1");
    events.bind(1, last).run();
    transaction.commit();
  }
  if (database_.number("PRAGMA page_count") * pageBytes_ > maxBytes_) {
    // The limit was lowered. Each step of this statement frees a page.
    Statement shrink(database_, "PRAGMA incremental_vacuum(1000)");
    shrink.run();
  }
  return count != 0 && (count == stepEvents || (crowded && isCrowded()));
}

bool UsageFile::isInPlace() const noexcept {
  struct stat found{};
  return ::stat(path_.c_str(), &found) == 0 && found.st_dev == device_ && found.st_ino == inode_;
}

} // namespace skillhost
