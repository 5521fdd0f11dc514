// SPDX-License-Identifier: Apache-2.0
#include "usage/report.hpp"

#include "ground/time_text.hpp"
#include "reading.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace skillhost {
namespace {

// The skills that the report may name.
class Told {
public:
  Told(const std::vector<ServedSkill> &served, UsageOf of) : all_(of == UsageOf::All) {
    if (all_) return;
    for (const ServedSkill &skill : served) seen_.emplace(skill.source, skill.path);
  }
  bool has(const UsageRow &row) const { return all_ || seen_.contains({row.source, row.path}); }
  bool isAll() const noexcept { return all_; }

private:
  const bool all_;
  std::set<std::pair<std::string, std::string>> seen_;
};

Json countsOf(const UsageRow &row) {
  return {{"loads", row.loads},       {"unchanged", row.unchanged},     {"reads", row.reads},
          {"searches", row.searches}, {"nothing_found", row.nothing},   {"refusals", row.refusals},
          {"failures", row.failures}, {"mean_us", row.meanMicroseconds}};
}

Json listed(const char *key, const UsageRow &row) {
  Json one{{key, row.key}};
  one.update(countsOf(row));
  one["last"] = timeText(row.last / 1'000);
  return one;
}

// The users of each skill, by its source and path.
using UsersOfSkills = std::map<std::pair<std::string, std::string>, Json>;

UsersOfSkills usersOf(UsageReading &reading, const UsageQuestion &question) {
  constexpr std::size_t most = 10; // of one skill
  UsersOfSkills all;
  for (SkillUser &user : reading.users(question)) {
    Json &users = all.try_emplace({user.source, user.path}, Json::array()).first->second;
    if (users.size() == most) continue;
    users.push_back({{"principal", std::move(user.principal)},
                     {"count", user.count},
                     {"last", timeText(user.last / 1'000)}});
  }
  return all;
}

Json skillOf(const UsageRow &row, const UsersOfSkills &users) {
  Json one = listed("name", row);
  one["source"] = row.source;
  one["id"] = row.source + '/' + row.path;
  const auto found = users.find({row.source, row.path});
  one["used_by"] = found == users.end() ? Json::array() : found->second;
  one["principals"] = row.principals;
  one["clients"] = row.clients;
  return one;
}

Json listOf(const char *key, const std::vector<UsageRow> &rows) {
  Json list = Json::array();
  for (const UsageRow &row : rows) list.push_back(listed(key, row));
  return list;
}

Json totalsOf(const std::vector<UsageRow> &days) {
  UsageRow all;
  std::uint64_t spent = 0;
  for (const UsageRow &day : days) {
    all.loads += day.loads;
    all.unchanged += day.unchanged;
    all.reads += day.reads;
    all.searches += day.searches;
    all.nothing += day.nothing;
    all.refusals += day.refusals;
    all.failures += day.failures;
    spent += day.meanMicroseconds * day.all();
  }
  if (all.all() != 0) all.meanMicroseconds = spent / all.all();
  return countsOf(all);
}

Json unusedOf(const std::vector<ServedSkill> &unused, std::size_t limit) {
  Json list = Json::array();
  for (const ServedSkill &skill : unused) {
    if (limit != 0 && list.size() == limit) break;
    list.push_back(
        {{"name", skill.name}, {"source", skill.source}, {"id", skill.source + '/' + skill.path}});
  }
  return list;
}

void addSkills(Json &summary, std::vector<UsageRow> skills, const UsersOfSkills &users,
               const Told &told, std::size_t limit) {
  std::erase_if(skills, [&](const UsageRow &row) { return !told.has(row); });
  const auto most = [&](const std::vector<UsageRow> &rows) {
    Json list = Json::array();
    for (const UsageRow &row : rows) {
      if (limit != 0 && list.size() == limit) break;
      list.push_back(skillOf(row, users));
    }
    return list;
  };
  summary["skills"] = most(skills);
  std::erase_if(skills, [](const UsageRow &row) { return row.failures == 0; });
  std::stable_sort(skills.begin(), skills.end(),
                   [](const UsageRow &a, const UsageRow &b) { return a.failures > b.failures; });
  summary["failing"] = most(skills);
}

// Invalid UTF-8 does not fail: such an id matches no event.
std::string idsOf(const std::vector<ServedSkill> &skills) {
  Json ids = Json::array();
  for (const ServedSkill &skill : skills) ids.push_back(skill.source + '/' + skill.path);
  return ids.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json summaryOf(UsageReading &reading, const UsageQuestion &question,
               const std::vector<ServedSkill> &served, UsageOf of) {
  const std::string among = of == UsageOf::All ? std::string() : idsOf(served);
  const auto ask = [&](UsageBy by, std::size_t limit) {
    return reading.rows({question.since, question.until, by, question.kind, {}, limit}, among);
  };
  const Told told(served, of);
  Json summary = Json::object();
  const std::vector<UsageRow> days = ask(UsageBy::Day, 0);
  summary["totals"] = totalsOf(days);
  summary["days"] = listOf("day", days);
  addSkills(summary, ask(UsageBy::Skill, 0), usersOf(reading, question), told, question.limit);
  summary["clients"] = listOf("client", ask(UsageBy::Client, question.limit));
  summary["principals"] = listOf("principal", ask(UsageBy::Principal, question.limit));
  // A searched name may be that of a skill that the reader must not know.
  summary["not_found"] =
      told.isAll() ? listOf("asked", ask(UsageBy::Query, question.limit)) : Json::array();
  const std::vector<ServedSkill> unused = reading.unused(question, served);
  summary["unused"] = unusedOf(unused, question.limit);
  summary["unused_total"] = unused.size();
  return summary;
}

// If there is no file yet, nothing was used.
std::optional<UsageReading> readingOf(const std::string &path,
                                      const std::function<bool()> &isEnough) {
  std::optional<UsageReading> reading;
  try {
    reading.emplace(path, isEnough);
  } catch (const DatabaseError &why) {
    if (why.kind() != DatabaseError::Kind::Absent) throw;
    reading.emplace(isEnough);
  }
  return reading;
}

} // namespace

Result<Json> usageSummary(const std::string &path, const UsageQuestion &question,
                          const std::vector<ServedSkill> &served, UsageOf of,
                          const std::function<bool()> &isEnough) {
  Json summary;
  try {
    std::optional<UsageReading> reading = readingOf(path, isEnough);
    summary = summaryOf(*reading, question, served, of);
  } catch (const DatabaseError &why) {
    return usageFailure(path, why);
  }
  summary["since"] = timeText(question.since / 1'000);
  if (question.until != INT64_MAX) summary["until"] = timeText(question.until / 1'000);
  return summary;
}

} // namespace skillhost
