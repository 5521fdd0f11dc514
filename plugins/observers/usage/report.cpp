// SPDX-License-Identifier: Apache-2.0
#include "usage/report.hpp"

#include "reading.hpp"
#include "usage_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <utility>

namespace skillhost {
namespace {

constexpr int readerPatience = 2'000; // in milliseconds, to wait for a writer

// The grouping of a question: the key of a row, the columns to group by, and the condition for
// events.
struct Grouping {
  const char *key, *group, *only;
};

Grouping groupingOf(UsageBy by) {
  switch (by) {
  case UsageBy::Client:
    return {"client", "client", "1"};
  case UsageBy::Day:
    return {"date(day * 86400, 'unixepoch')", "day", "1"};
  case UsageBy::Principal:
    return {"principal", "principal", "1"};
  case UsageBy::Query:
    return {"asked", "asked", "asked IS NOT NULL"};
  case UsageBy::Skill:
    break;
  }
  // A renamed skill has its newest name, because SQLite takes the row of max(newest).
  return {"skill", "source, path", "source <> ''"};
}

constexpr const char *otherTables = R"(
CREATE TEMP TABLE other_subjects(
  id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, skill TEXT NOT NULL, source TEXT NOT NULL,
  path TEXT NOT NULL, principal TEXT NOT NULL, client TEXT NOT NULL, outcome TEXT NOT NULL);
CREATE TEMP TABLE other_cells(
  subject INTEGER NOT NULL, day INTEGER NOT NULL, asked TEXT, n INTEGER NOT NULL,
  newest INTEGER NOT NULL, spent INTEGER NOT NULL);
)";

// Makes the table "used": events are added up by their subject before their texts are read; the
// cells of other files, which are added up already, follow. `uses` is described at usesOfRow().
std::string usedSql(const std::string &uses, bool byDay, bool byQuery, bool withOthers) {
  const std::string columns = "kind, skill, source, path, principal, client, outcome, day, asked, "
                              "n, newest, spent";
  std::string sql = "WITH used AS (SELECT " + columns + " FROM (SELECT subject, ";
  sql += byDay ? "time / 86400000 AS day, " : "0 AS day, ";
  sql += byQuery ? "asked, " : "NULL AS asked, ";
  sql += "sum(" + uses +
         ") AS n, max(time) AS newest, sum(microseconds) AS spent FROM events "
         "WHERE id >= ?1 AND time >= ?2 AND time < ?3 GROUP BY subject";
  if (byDay) sql += ", time / 86400000";
  if (byQuery) sql += ", asked";
  sql += ") JOIN subjects ON subjects.id = subject";
  if (withOthers)
    sql += " UNION ALL SELECT " + columns +
           " FROM temp.other_cells JOIN temp.other_subjects ON temp.other_subjects.id = subject";
  return sql + ") ";
}

std::string sqlOf(const std::string &uses, const UsageQuestion &question, bool amongSome,
                  bool withOthers) {
  const Grouping grouping = groupingOf(question.by);
  const bool byDay = question.by == UsageBy::Day, byQuery = question.by == UsageBy::Query;
  std::string sql = usedSql(uses, byDay, byQuery, withOthers);
  sql += "SELECT ";
  sql += grouping.key;
  sql += question.by == UsageBy::Skill ? ", source, path" : ", '', ''";
  for (const char *kind : {"0", "1", "2", "3"})
    sql += std::string(", sum(CASE kind WHEN ") + kind + " THEN n ELSE 0 END)";
  sql += ", sum(CASE WHEN outcome = 'unchanged' THEN n ELSE 0 END)"
         ", sum(CASE WHEN outcome = 'nothing' THEN n ELSE 0 END)"
         ", sum(CASE WHEN kind <> 3 AND outcome NOT IN ('ok', 'unchanged', 'nothing') THEN n ELSE "
         "0 END)"
         ", count(DISTINCT nullif(principal, '')), count(DISTINCT nullif(client, ''))"
         ", max(newest), sum(spent) / sum(n) "
         "FROM used WHERE ";
  sql += grouping.only;
  if (!question.skill.empty()) sql += " AND (skill = ?5 OR source || '/' || path = ?5)";
  if (amongSome)
    sql += " AND (source = '' OR source || '/' || path IN (SELECT value FROM json_each(?6)))";
  if (question.kind) sql += " AND kind = " + std::to_string(static_cast<int>(*question.kind));
  sql += std::string(" GROUP BY ") + grouping.group;
  sql += byDay ? " ORDER BY day" : " ORDER BY sum(n) DESC, 1, 2, 3";
  return sql + " LIMIT ?4";
}

UsageRow rowOf(const Statement &statement) {
  const auto count = [&](int column) {
    return static_cast<std::uint64_t>(statement.number(column));
  };
  UsageRow row;
  row.key = statement.text(0);
  row.source = statement.text(1);
  row.path = statement.text(2);
  row.loads = count(3);
  row.reads = count(4);
  row.searches = count(5);
  row.refusals = count(6);
  row.unchanged = count(7);
  row.nothing = count(8);
  row.failures = count(9);
  row.principals = count(10);
  row.clients = count(11);
  row.last = statement.number(12);
  row.meanMicroseconds = count(13);
  return row;
}

// Returns the id of the first event that may be as late as `since`. Events are in the order of
// their times, except for a second or two between the commits of several processes.
std::int64_t firstSince(Database &database, std::int64_t since) {
  constexpr std::int64_t disorder = 60'000;
  std::int64_t low = database.number("SELECT coalesce(min(id), 0) FROM events");
  std::int64_t high = database.number("SELECT coalesce(max(id), 0) FROM events") + 1;
  Statement at(database, "SELECT id, time FROM events WHERE id >= ?1 ORDER BY id LIMIT 1");
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    at.bind(1, middle);
    const bool before = at.step() && at.number(1) < since - disorder;
    at.reset();
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Names a file to which no server has given an identity yet. Its copies have another name.
std::string fileHere(const std::string &path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) return path;
  return std::to_string(found.st_dev) + ':' + std::to_string(found.st_ino);
}

} // namespace

UsageReading::Others::Others(Database &database)
    : subject(database, "INSERT INTO temp.other_subjects VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"),
      cell(database, "INSERT INTO temp.other_cells VALUES(?1, ?2, ?3, ?4, ?5, ?6)") {}

UsageReading::UsageReading(std::function<bool()> isEnough)
    : database_(":memory:", Database::Mode::Memory) {
  if (isEnough) database_.stopWhen(std::move(isEnough));
  layUsageTables(database_);
}

UsageReading::UsageReading(const std::string &path, std::function<bool()> isEnough)
    : database_(path, Database::Mode::Read) {
  database_.waitFor(readerPatience);
  if (isEnough) database_.stopWhen(std::move(isEnough));
  // The process that creates the file has not made its tables yet.
  if (database_.number("SELECT count(*) FROM sqlite_master") == 0)
    throw DatabaseError(DatabaseError::Kind::Absent, "nothing is in it yet");
  // All reads are from one moment, because a writer may convert the file to another version.
  database_.run("BEGIN");
  checkUsageVersion(database_);
  uses_ = usesOfRow(database_);
  identity_ = usageIdentity(database_);
  if (identity_.empty()) identity_ = fileHere(path);
}

void UsageReading::cells(std::int64_t since, std::int64_t until, const CellSink &sink) {
  Statement statement(
      database_,
      "WITH gathered AS (SELECT subject, time / 86400000 AS day, asked, sum(" + uses_ +
          ") AS n, max(time) AS newest, sum(microseconds) AS spent FROM events WHERE id >= ?1 AND "
          "time >= ?2 AND time < "
          "?3 GROUP BY subject, time / 86400000, asked) "
          "SELECT id, kind, skill, source, path, principal, client, outcome, day, asked IS NOT "
          "NULL, "
          "asked, n, newest, spent FROM gathered JOIN subjects ON subjects.id = gathered.subject "
          "ORDER BY id");
  statement.bind(1, firstSince(database_, since)).bind(2, since).bind(3, until);
  for (std::int64_t last = 0; statement.step();) {
    if (const std::int64_t id = statement.number(0); id != last) {
      last = id;
      sink.subject({static_cast<UseKind>(statement.number(1)), statement.text(2), statement.text(3),
                    statement.text(4), statement.text(5), statement.text(6), statement.text(7)});
    }
    sink.cell({statement.number(8),
               statement.number(9) != 0 ? std::optional(statement.text(10)) : std::nullopt,
               statement.number(11), statement.number(12), statement.number(13)});
  }
}

CellSink UsageReading::others() {
  if (!others_) {
    database_.run(otherTables);
    others_.emplace(database_);
  }
  return {[this](const UsageSubject &subject) {
            Statement &into = others_->subject;
            into.bind(1, ++others_->subjects).bind(2, static_cast<std::int64_t>(subject.kind));
            int place = 3;
            for (const std::string *text : {&subject.skill, &subject.source, &subject.path,
                                            &subject.principal, &subject.client, &subject.outcome})
              into.bind(place++, *text);
            into.run();
          },
          [this](const UsageCell &cell) {
            Statement &into = others_->cell;
            into.bind(1, others_->subjects).bind(2, cell.day);
            if (cell.asked)
              into.bind(3, *cell.asked);
            else
              into.bindNothing(3);
            into.bind(4, cell.count).bind(5, cell.newest).bind(6, cell.spent).run();
          }};
}

std::vector<UsageRow> UsageReading::rows(const UsageQuestion &question, const std::string &among) {
  Statement statement(database_, sqlOf(uses_, question, !among.empty(), others_.has_value()));
  statement.bind(1, firstSince(database_, question.since)).bind(2, question.since);
  statement.bind(3, question.until);
  statement.bind(4, question.limit == 0 ? std::int64_t{-1}
                                        : static_cast<std::int64_t>(question.limit));
  if (!question.skill.empty()) statement.bind(5, question.skill);
  if (!among.empty()) statement.bind(6, among);
  std::vector<UsageRow> rows;
  while (statement.step()) rows.push_back(rowOf(statement));
  return rows;
}

std::vector<ServedSkill> UsageReading::unused(const UsageQuestion &question,
                                              const std::vector<ServedSkill> &served) {
  UsageQuestion all{question.since, question.until, UsageBy::Skill, std::nullopt, {}, 0};
  std::set<std::pair<std::string, std::string>> used;
  for (UsageRow &row : rows(all))
    if (row.loads + row.reads > row.failures)
      used.emplace(std::move(row.source), std::move(row.path));
  std::vector<ServedSkill> unused;
  for (const ServedSkill &skill : served)
    if (!used.contains({skill.source, skill.path})) unused.push_back(skill);
  return unused;
}

std::vector<SkillUser> UsageReading::users(const UsageQuestion &question) {
  constexpr std::int64_t most = 100'000;
  Statement statement(database_,
                      usedSql(uses_, false, false, others_.has_value()) +
                          "SELECT source, path, principal, sum(n), max(newest) FROM used "
                          "WHERE source <> '' AND kind IN (0, 1) GROUP BY source, path, principal "
                          "ORDER BY sum(n) DESC, principal LIMIT ?4");
  statement.bind(1, firstSince(database_, question.since)).bind(2, question.since);
  statement.bind(3, question.until).bind(4, most);
  std::vector<SkillUser> users;
  while (statement.step())
    users.push_back({statement.text(0), statement.text(1), statement.text(2),
                     static_cast<std::uint64_t>(statement.number(3)), statement.number(4)});
  return users;
}

Failure usageFailure(const std::string &path, const DatabaseError &why) {
  const bool absent = why.kind() == DatabaseError::Kind::Absent;
  if (why.kind() == DatabaseError::Kind::Stopped)
    return {Fault::Cancelled, "the request for usage data was cancelled"};
  return {absent ? Fault::NotFound : Fault::OperationFailed, path + ": " + why.what()};
}

namespace {

// Applies `ask` to all files as if they were one.
template <class Value, class Ask>
Result<Value> ofFiles(const std::vector<std::string> &paths, const UsageQuestion &question,
                      const Ask &ask) {
  std::optional<UsageReading> all;
  std::set<std::string> known; // identities of the files
  for (const std::string &path : paths) try {
      if (!all) {
        known.insert(all.emplace(path).identity());
        continue;
      }
      UsageReading one(path);
      if (known.insert(one.identity()).second)
        one.cells(question.since, question.until, all->others());
    } catch (const DatabaseError &why) {
      return usageFailure(path, why);
    }
  try {
    if (!all) all.emplace(std::function<bool()>());
    return ask(*all);
  } catch (const DatabaseError &why) {
    return usageFailure(paths.empty() ? std::string() : paths.front(), why);
  }
}

} // namespace

Result<std::vector<UsageRow>> usageRows(const std::vector<std::string> &paths,
                                        const UsageQuestion &question) {
  return ofFiles<std::vector<UsageRow>>(
      paths, question, [&](UsageReading &reading) { return reading.rows(question); });
}

Result<std::vector<ServedSkill>> unusedSkills(const std::vector<std::string> &paths,
                                              const UsageQuestion &question,
                                              const std::vector<ServedSkill> &served) {
  return ofFiles<std::vector<ServedSkill>>(
      paths, question, [&](UsageReading &reading) { return reading.unused(question, served); });
}

Result<std::string> usageFileId(const std::string &path) try {
  return UsageReading(path).identity();
} catch (const DatabaseError &why) {
  return usageFailure(path, why);
}

} // namespace skillhost
