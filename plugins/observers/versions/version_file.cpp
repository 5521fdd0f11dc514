// SPDX-License-Identifier: Apache-2.0
#include "version_file.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <algorithm>

namespace skillhost {
namespace {

constexpr std::int64_t applicationId = 0x736b7665; // "skve"
constexpr int patience = 1'000;                    // in milliseconds, to wait for another process
// Removed in one transaction because of their age.
constexpr std::int64_t stepVersions = 500;
constexpr std::int64_t stepCrowded = 10; // removed for lack of room
// Tenths of the limit at which pruning begins. Texts are large and many, so they leave room for the
// versions.
constexpr std::int64_t crowdedShare = 9, crowdedShareOfTexts = 7;
constexpr std::int64_t dayMilliseconds = 86'400'000;

// A version without `until` is still served. Texts are stored separately, because many versions
// have the same one, for example if only a script has changed.
constexpr const char *tables = R"(
CREATE TABLE sources(id INTEGER PRIMARY KEY, mark TEXT NOT NULL UNIQUE, seen INTEGER NOT NULL);
CREATE TABLE versions(
  id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, skill TEXT NOT NULL,
  since INTEGER NOT NULL, until INTEGER, digest TEXT NOT NULL, bytes INTEGER NOT NULL,
  files INTEGER NOT NULL, facts TEXT NOT NULL, shape TEXT NOT NULL, identity TEXT NOT NULL,
  list TEXT NOT NULL);
CREATE INDEX versions_of ON versions(source, skill, id);
CREATE INDEX versions_with ON versions(digest);
CREATE INDEX versions_ended ON versions(until) WHERE until IS NOT NULL;
CREATE INDEX versions_served ON versions(source, skill) WHERE until IS NULL;
CREATE TABLE texts(digest TEXT PRIMARY KEY, added INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX texts_added ON texts(added, digest);
)";

// The columns are in the order of `versionColumns`.
SkillVersion versionAt(const Statement &row) {
  SkillVersion version;
  version.id = row.number(0);
  version.since = row.number(1);
  if (const std::int64_t until = row.number(2); until >= 0) version.until = until;
  version.digest = row.text(3);
  version.bytes = static_cast<std::size_t>(row.number(4));
  version.files = static_cast<std::size_t>(row.number(5));
  version.facts = row.text(6);
  version.hasText = row.number(7) != 0;
  return version;
}

constexpr const char *versionColumns =
    "SELECT id, since, ifnull(until, -1), digest, bytes, files, facts, "
    "EXISTS(SELECT 1 FROM texts WHERE texts.digest = versions.digest)";

std::vector<VersionedFile> filesOf(const std::string &list) {
  std::vector<VersionedFile> files;
  const Json all = Json::parse(list, nullptr, false);
  if (!all.is_array()) return files;
  for (const Json &one : all) {
    if (!one.is_array() || one.size() != 3 || !one[0].is_string() || !one[2].is_string()) continue;
    VersionedFile file{one[0].get<std::string>(), std::nullopt, one[2].get<std::string>()};
    if (one[1].is_number_unsigned()) file.size = one[1].get<std::uint64_t>();
    files.push_back(std::move(file));
  }
  return files;
}

} // namespace

VersionFile::VersionFile(const VersionSettings &settings)
    : settings_(settings), database_(withDatabaseFolder(settings.path), Database::Mode::Write) {
  struct stat found{};
  if (::stat(settings.path.c_str(), &found) == 0) {
    device_ = found.st_dev;
    inode_ = found.st_ino;
  }
}

void VersionFile::prepare() {
  if (prepared_) return;
  database_.waitFor(patience);
  // This setting is stored in the file, and only works before it has tables.
  database_.run("PRAGMA auto_vacuum=INCREMENTAL");
  if (database_.number("SELECT count(*) FROM sqlite_master") == 0 &&
      database_.number("PRAGMA user_version") == 0)
    makeTables();
  if (database_.number("PRAGMA application_id") != applicationId)
    throw DatabaseError(DatabaseError::Kind::Foreign, "it is another program's database");
  if (const std::int64_t version = database_.number("PRAGMA user_version");
      version > versionsVersion)
    throw DatabaseError(DatabaseError::Kind::Foreign,
                        "a newer skillhost has written it (version " + std::to_string(version) +
                            ", this one knows " + std::to_string(versionsVersion) + ")");
  // Committed data survives the end of the process. Only the last moments may be lost if the
  // machine fails.
  database_.run("PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=4194304; "
                "PRAGMA cache_size=-2048; PRAGMA temp_store=MEMORY");
  pageBytes_ = database_.number("PRAGMA page_size");
  prepared_ = true;
}

void VersionFile::makeTables() {
  database_.run("PRAGMA journal_mode=WAL");
  Transaction transaction(database_);
  // Another process may have been faster.
  if (database_.number("SELECT count(*) FROM sqlite_master") != 0) return;
  database_.run(tables);
  database_.run(("PRAGMA application_id=" + std::to_string(applicationId) +
                 "; PRAGMA user_version=" + std::to_string(versionsVersion))
                    .c_str());
  transaction.commit();
}

bool VersionFile::isCrowded(Room room) {
  const std::int64_t share = room == Room::ForTexts ? crowdedShareOfTexts : crowdedShare;
  const std::int64_t used =
      database_.number("PRAGMA page_count") - database_.number("PRAGMA freelist_count");
  return used * pageBytes_ > static_cast<std::int64_t>(settings_.maxBytes) / 10 * share;
}

bool VersionFile::add(std::span<const EntryText> texts, std::int64_t now) {
  Transaction transaction(database_);
  Statement known(database_, "SELECT 1 FROM texts WHERE digest = ?1");
  Statement added(database_, "INSERT INTO texts VALUES(?1, ?2, ?3)");
  bool hadRoom = true;
  for (const EntryText &one : texts) {
    const bool isKnown = known.bind(1, one.digest).step();
    known.reset();
    if (isKnown) continue;
    if (isCrowded(Room::ForTexts)) {
      hadRoom = false;
      continue;
    }
    added.bind(1, one.digest).bind(2, now).bind(3, one.text).run();
  }
  transaction.commit();
  return hadRoom;
}

std::int64_t VersionFile::sourceOf(const std::string &mark, std::int64_t now) {
  Statement known(database_, "SELECT id FROM sources WHERE mark = ?1");
  if (known.bind(1, mark).step()) return known.number(0);
  Statement added(database_, "INSERT INTO sources(mark, seen) VALUES(?1, ?2)");
  added.bind(1, mark).bind(2, now).run();
  return database_.number("SELECT last_insert_rowid()");
}

bool VersionFile::add(std::span<const VersionChange> changes, std::int64_t now) {
  Transaction transaction(database_);
  bool hadRoom = true;
  for (const VersionChange &change : changes) hadRoom = write(change, now) && hadRoom;
  transaction.commit();
  return hadRoom;
}

bool VersionFile::write(const VersionChange &change, std::int64_t now) {
  const std::int64_t source = sourceOf(change.mark, now);
  // Another server may have written it first.
  Statement last(database_, "SELECT id, shape, identity FROM versions "
                            "WHERE source = ?1 AND skill = ?2 AND until IS NULL");
  const bool isServed = last.bind(1, source).bind(2, change.skill).step();
  if (isServed) {
    if (!change.isGone &&
        (last.text(2) == change.identity || (!change.isTold && last.text(1) == change.shape)))
      return true;
    Statement ended(database_, "UPDATE versions SET until = max(since, ?2) WHERE id = ?1");
    ended.bind(1, last.number(0)).bind(2, now);
    last.reset();
    ended.run();
  }
  if (change.isGone) return true;
  if (isCrowded(Room::ForVersions)) return false;
  Statement added(database_,
                  "INSERT INTO versions(source, skill, since, digest, bytes, files, facts, shape, "
                  "identity, list) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
  added.bind(1, source).bind(2, change.skill).bind(3, now).bind(4, change.digest);
  added.bind(5, static_cast<std::int64_t>(change.bytes));
  added.bind(6, static_cast<std::int64_t>(change.files)).bind(7, change.facts);
  added.bind(8, change.shape).bind(9, change.identity).bind(10, change.list).run();
  Statement many(database_, "SELECT id, digest FROM versions WHERE source = ?1 AND skill = ?2 "
                            "ORDER BY id DESC LIMIT -1 OFFSET ?3");
  many.bind(1, source).bind(2, change.skill);
  remove(many.bind(3, static_cast<std::int64_t>(settings_.maxVersionsPerSkill)));
  return true;
}

// Removes the versions whose ids and digests `chosen` selects, within a transaction.
std::size_t VersionFile::remove(Statement &chosen) {
  std::vector<Removed> all;
  while (chosen.step()) all.push_back({chosen.number(0), chosen.text(1)});
  chosen.reset();
  if (all.empty()) return 0;
  Statement version(database_, "DELETE FROM versions WHERE id = ?1");
  Statement text(database_, "DELETE FROM texts WHERE digest = ?1 AND NOT EXISTS "
                            "(SELECT 1 FROM versions WHERE versions.digest = ?1)");
  for (const Removed &one : all) {
    version.bind(1, one.id).run();
    text.bind(1, one.digest).run();
  }
  return all.size();
}

void VersionFile::touch(const std::vector<std::string> &marks, std::int64_t now) {
  Transaction transaction(database_);
  Statement seen(database_, "UPDATE sources SET seen = ?2 WHERE mark = ?1");
  for (const std::string &mark : marks) seen.bind(1, mark).bind(2, now).run();
  transaction.commit();
}

std::unordered_map<std::string, std::string> VersionFile::served(const std::string &mark) {
  Statement all(database_, "SELECT skill, shape FROM versions WHERE until IS NULL AND source = "
                           "(SELECT id FROM sources WHERE mark = ?1)");
  all.bind(1, mark);
  std::unordered_map<std::string, std::string> skills;
  while (all.step()) skills.emplace(all.text(0), all.text(1));
  return skills;
}

bool VersionFile::prune(std::int64_t now, Room room) {
  const std::int64_t oldest = now - static_cast<std::int64_t>(settings_.keepDays) * dayMilliseconds;
  bool goesOn = false;
  {
    Transaction transaction(database_);
    Statement old(database_, "SELECT id, digest FROM versions WHERE until < ?1 LIMIT ?2");
    std::size_t removed = remove(old.bind(1, oldest).bind(2, stepVersions));
    // These are versions of sources that nobody follows any more.
    Statement left(database_, "SELECT id, digest FROM versions WHERE source IN "
                              "(SELECT id FROM sources WHERE seen < ?1) LIMIT ?2");
    removed += remove(left.bind(1, oldest).bind(2, stepVersions));
    if (isCrowded(room)) {
      Statement ended(database_, "SELECT id, digest FROM versions WHERE until IS NOT NULL "
                                 "ORDER BY until, id LIMIT ?1");
      removed += remove(ended.bind(1, stepCrowded));
    }
    goesOn = removed != 0 && (removed >= stepVersions || isCrowded(room));
    if (removed != 0) transaction.commit();
  }
  if (database_.number("PRAGMA page_count") * pageBytes_ >
      static_cast<std::int64_t>(settings_.maxBytes)) {
    // The limit was lowered. Each step of this statement frees a page.
    Statement shrink(database_, "PRAGMA incremental_vacuum(1000)");
    shrink.run();
  }
  return goesOn;
}

void VersionFile::removeUnusedTexts(std::int64_t oldest) {
  Transaction transaction(database_);
  Statement unused(database_, "DELETE FROM texts WHERE added < ?1 AND NOT EXISTS "
                              "(SELECT 1 FROM versions WHERE versions.digest = texts.digest)");
  unused.bind(1, oldest).run();
  transaction.commit();
}

std::vector<SkillVersion> VersionFile::list(const std::string &mark, const std::string &skill) {
  Statement rows(database_,
                 std::string(versionColumns) +
                     " FROM versions WHERE source = (SELECT id FROM sources WHERE mark = ?1) "
                     "AND skill = ?2 ORDER BY id DESC");
  rows.bind(1, mark).bind(2, skill);
  std::vector<SkillVersion> all;
  while (rows.step()) all.push_back(versionAt(rows));
  return all;
}

std::optional<VersionContent> VersionFile::show(const std::string &mark, const std::string &skill,
                                                std::int64_t version) {
  Statement row(database_,
                std::string(versionColumns) +
                    ", list, (SELECT text FROM texts WHERE texts.digest = versions.digest) "
                    "FROM versions WHERE id = ?3 AND skill = ?2 AND source = "
                    "(SELECT id FROM sources WHERE mark = ?1)");
  row.bind(1, mark).bind(2, skill).bind(3, version);
  if (!row.step()) return std::nullopt;
  VersionContent content{versionAt(row), std::nullopt, filesOf(row.text(8))};
  if (content.version.hasText) content.text = row.text(9);
  return content;
}

bool VersionFile::isInPlace() const noexcept {
  struct stat found{};
  return ::stat(settings_.path.c_str(), &found) == 0 && found.st_dev == device_ &&
         found.st_ino == inode_;
}

} // namespace skillhost
