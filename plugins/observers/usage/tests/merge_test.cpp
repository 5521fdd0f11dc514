// SPDX-License-Identifier: Apache-2.0
// Tests that the figures of several files equal those of one file with all their events.
#include "database/sqlite.hpp"
#include "recorded.hpp"

#include "usage/report.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <random>

using namespace skillhost;

namespace {

constexpr std::int64_t firstDay = 1'785'196'800'000, oneDay = 86'400'000; // 2026-07-28

UsageSettings lasting(const UsageFolder &folder) {
  UsageSettings settings = folder.settings();
  settings.keepDays = 36'500;
  // The key makes the hashes of principals equal in all files.
  settings.key = Blake3Key::derived("skillhost test of merged figures", "of the replicas");
  return settings;
}

// No two events have the same time, so that a renamed skill has one newest name.
std::vector<UseEvent> randomEvents(std::mt19937 &random, int count) {
  const auto below = [&](unsigned most) { return static_cast<std::int64_t>(random() % most); };
  std::vector<UseEvent> events;
  for (int i = 0; i < count; ++i) {
    UseEvent event;
    const std::string skill = "skill-" + std::to_string(below(7));
    event.kind = static_cast<UseKind>(below(4));
    if (event.kind == UseKind::Load || event.kind == UseKind::Read) {
      event.skill = below(10) == 0 ? skill + " (renamed)" : skill;
      event.source = below(3) == 0 ? "other" : "shared";
      event.path = "team/" + skill;
      event.digest = "sha256:" + std::to_string(below(3));
    }
    if (below(5) != 0) event.person = "person-" + std::to_string(below(6));
    if (below(5) != 0) event.client = "client-" + std::to_string(below(4));
    constexpr std::array<std::string_view, 4> outcomes{useDone, useUnchanged, useNothing,
                                                       "NOT_FOUND"};
    event.outcome = outcomes.at(static_cast<std::size_t>(below(outcomes.size())));
    if (below(6) == 0) event.text = "asked " + std::to_string(below(5));
    if (below(40) == 0) event.text = std::string("a zero \0 and no UTF-8 \xff", 24);
    event.time = firstDay + i * (5 * oneDay / count) + 1;
    event.microseconds = static_cast<std::uint32_t>(below(1'000'000));
    events.push_back(std::move(event));
  }
  return events;
}

void record(const UsageFolder &folder, const std::vector<UseEvent> &events) {
  UsageRules rules = quickly();
  rules.refusals = events.size(); // records all of them, in one file as in several
  UsageRecorder recorder(lasting(folder), rules);
  for (const UseEvent &event : events) recorder.record(event);
  REQUIRE(recorder.flush(usagePatience));
}

std::string asText(const std::vector<UsageRow> &rows) {
  Json all = Json::array();
  for (const UsageRow &row : rows)
    all.push_back({row.key, row.source, row.path, row.loads, row.reads, row.searches, row.refusals,
                   row.unchanged, row.nothing, row.failures, row.principals, row.clients, row.last,
                   row.meanMicroseconds});
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const std::vector<ServedSkill> servedThere{{"skill-0", "shared", "team/skill-0"},
                                           {"skill-1", "other", "team/skill-1"},
                                           {"never", "shared", "team/never"}};

void execute(const std::string &path, const char *sql) {
  Database(path, Database::Mode::Write).run(sql);
}

} // namespace

TEST_CASE("figures of events that were split at random are those of one file with all of them") {
  std::mt19937 random(20'261'127);
  const std::vector<UsageQuestion> questions{
      {},
      {.limit = 3},
      {.since = firstDay + oneDay, .until = firstDay + 3 * oneDay + oneDay / 3},
      {.kind = UseKind::Load},
      {.skill = "shared/team/skill-2"},
      {.since = firstDay + 100 * oneDay}};
  for (int round = 0; round < 4; ++round) {
    const std::vector<UseEvent> events = randomEvents(random, 1'500);
    const UsageFolder whole;
    record(whole, events);
    // A part may be empty, and then it has no file.
    std::array<UsageFolder, 4> parts;
    std::array<std::vector<UseEvent>, 4> split;
    for (const UseEvent &event : events) split.at(random() % (round == 0 ? 2 : 4)).push_back(event);
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (split.at(i).empty()) continue;
      record(parts.at(i), split.at(i));
      paths.push_back(parts.at(i).path);
    }
    for (const UsageQuestion &asked : questions) {
      UsageQuestion question = asked;
      for (std::size_t by = 0; by < usageByNames.size(); ++by) {
        question.by = static_cast<UsageBy>(by);
        INFO("round " << round << ", by " << usageByNames.at(by));
        const auto one = usageRows(whole.path, question), many = usageRows(paths, question);
        REQUIRE(one);
        REQUIRE(many);
        CHECK(asText(*one) == asText(*many));
      }
    }
    const auto one = unusedSkills(whole.path, {}, servedThere);
    const auto many = unusedSkills(paths, {}, servedThere);
    REQUIRE(one);
    REQUIRE(many);
    CHECK(one->size() == many->size());
  }
}

TEST_CASE("a file counts once, by whichever name it comes") {
  const UsageFolder folder, other;
  record(folder, {loadOf("pdf"), loadOf("pdf", "bob")});
  record(other, {loadOf("chart")});
  const std::string copy = other.folder.path() + "/copy.sqlite";
  std::filesystem::copy_file(folder.path, copy);
  for (const char *beside : {"-wal", "-shm"})
    if (std::filesystem::exists(folder.path + beside))
      std::filesystem::copy_file(folder.path + beside, copy + beside);
  const auto rows = usageRows({folder.path, folder.path, copy, other.path, other.path}, {});
  REQUIRE(rows);
  REQUIRE(rows->size() == 2);
  CHECK(rows->at(0).loads == 2);
  CHECK(rows->at(1).loads == 1);
  CHECK(*usageFileId(folder.path) == *usageFileId(copy));
}

TEST_CASE("a file has an id from its first event, an older one from its next") {
  const UsageFolder folder;
  CHECK_FALSE(usageFileId(folder.path));
  record(folder, {loadOf("pdf")});
  const Result<std::string> first = usageFileId(folder.path);
  REQUIRE(first);
  CHECK(first->size() == 32);
  record(folder, {loadOf("pdf")});
  CHECK(*usageFileId(folder.path) == *first);

  execute(folder.path, "DROP TABLE identity");
  const Result<std::string> older = usageFileId(folder.path);
  REQUIRE(older);
  CHECK(*older != *first);
  CHECK(*usageFileId(folder.path) == *older);
  // The same file counts once under two names, even before it has an id.
  const std::string link = folder.folder.path() + "/link.sqlite";
  std::filesystem::create_hard_link(folder.path, link);
  CHECK(*usageFileId(link) == *older);
  record(folder, {loadOf("pdf")});
  const Result<std::string> next = usageFileId(folder.path);
  REQUIRE(next);
  CHECK(next->size() == 32);
  CHECK(*next != *first);
}
