// SPDX-License-Identifier: Apache-2.0
#include "usage/report.hpp"

#include "reading.hpp"
#include "usage_file.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace skillhost {
namespace {

constexpr int readerPatience = 2'000; // milliseconds, for who writes

// How a question is grouped: what is the key of a row, and which events have one.
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
  // Of a skill that was renamed the newest name: SQLite takes the row of max(newest).
  return {"skill", "source, path", "source <> ''"};
}

// Events are gathered by what they have in common before texts are looked at.
std::string sqlOf(const UsageQuestion &question, bool amongSome) {
  const Grouping grouping = groupingOf(question.by);
  const bool byDay = question.by == UsageBy::Day, byQuery = question.by == UsageBy::Query;
  std::string sql = "WITH gathered AS (SELECT subject, ";
  sql += byDay ? "time / 86400000 AS day, " : "0 AS day, ";
  sql += byQuery ? "asked, " : "NULL AS asked, ";
  sql += "count(*) AS n, max(time) AS newest, sum(microseconds) AS spent FROM events "
         "WHERE id >= ?1 AND time >= ?2 AND time < ?3 GROUP BY subject";
  sql += byDay ? ", time / 86400000)" : byQuery ? ", asked)" : ")";
  sql += " SELECT ";
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
         "FROM gathered JOIN subjects ON subjects.id = gathered.subject WHERE ";
  sql += grouping.only;
  if (!question.skill.empty()) sql += " AND (skill = ?5 OR source || '/' || path = ?5)";
  if (amongSome)
    sql += " AND (source = '' OR source || '/' || path IN (SELECT value FROM json_each(?6)))";
  if (question.kind) sql += " AND kind = " + std::to_string(static_cast<int>(*question.kind));
  sql += std::string(" GROUP BY ") + grouping.group;
  sql += byDay ? " ORDER BY day" : " ORDER BY sum(n) DESC, 1";
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

// The first event that may be as late as that: they are in the order of their times, but for the
// second or two between the commits of several processes.
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

} // namespace

UsageReading::UsageReading(const std::string &path, std::function<bool()> isEnough)
    : database_(path, Database::Mode::Read) {
  database_.waitFor(readerPatience);
  if (isEnough) database_.stopWhen(std::move(isEnough));
  // Whoever makes it has not come to its tables yet.
  if (database_.number("SELECT count(*) FROM sqlite_master") == 0)
    throw UsageError(UsageError::Kind::Absent, "nothing is in it yet");
  checkUsageVersion(database_);
  // All that is asked is answered from one moment.
  database_.run("BEGIN");
}

std::vector<UsageRow> UsageReading::rows(const UsageQuestion &question, const std::string &among) {
  Statement statement(database_, sqlOf(question, !among.empty()));
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
                      "WITH gathered AS (SELECT subject, count(*) AS n, max(time) AS newest "
                      "FROM events WHERE id >= ?1 AND time >= ?2 AND time < ?3 GROUP BY subject) "
                      "SELECT source, path, principal, sum(n), max(newest) FROM gathered "
                      "JOIN subjects ON subjects.id = gathered.subject "
                      "WHERE source <> '' AND kind IN (0, 1) "
                      "GROUP BY source, path, principal ORDER BY sum(n) DESC, principal LIMIT ?4");
  statement.bind(1, firstSince(database_, question.since)).bind(2, question.since);
  statement.bind(3, question.until).bind(4, most);
  std::vector<SkillUser> users;
  while (statement.step())
    users.push_back({statement.text(0), statement.text(1), statement.text(2),
                     static_cast<std::uint64_t>(statement.number(3)), statement.number(4)});
  return users;
}

Failure usageFailure(const std::string &path, const UsageError &why) {
  const bool absent = why.kind() == UsageError::Kind::Absent;
  if (why.kind() == UsageError::Kind::Stopped)
    return {Fault::Cancelled, "nobody waits for the figures any more"};
  return {absent ? Fault::NotFound : Fault::OperationFailed, path + ": " + why.what()};
}

Result<std::vector<UsageRow>> usageRows(const std::string &path,
                                        const UsageQuestion &question) try {
  return UsageReading(path).rows(question);
} catch (const UsageError &why) {
  return usageFailure(path, why);
}

Result<std::vector<ServedSkill>> unusedSkills(const std::string &path,
                                              const UsageQuestion &question,
                                              const std::vector<ServedSkill> &served) try {
  return UsageReading(path).unused(question, served);
} catch (const UsageError &why) {
  return usageFailure(path, why);
}

} // namespace skillhost
