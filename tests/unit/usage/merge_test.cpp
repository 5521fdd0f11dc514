// SPDX-License-Identifier: Apache-2.0
// The figures of several files are those of one file that has all their events.
#include "recorded.hpp"

#include "cell_text.hpp"
#include "usage/report.hpp"

#include <nlohmann/json.hpp>

#include <sqlite3.h>

#include <array>
#include <filesystem>
#include <memory>
#include <random>

using namespace skillhost;

namespace {

constexpr std::int64_t firstDay = 1'785'196'800'000, oneDay = 86'400'000; // 2026-07-28
constexpr std::size_t enoughBytes = std::size_t{8} << 20U;

UsageSettings lasting(const UsageFolder &folder) {
  UsageSettings settings = folder.settings();
  settings.keepDays = 36'500;
  // Principals are the same in all of them.
  settings.key = Blake3Key::derived("skillhost test of merged figures", "of the replicas");
  return settings;
}

// No two at one time, so that a skill that was renamed has one newest name.
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
  rules.refusals = events.size(); // all of them, in one file as in several
  UsageRecorder recorder(lasting(folder), rules);
  for (const UseEvent &event : events) recorder.record(event);
  REQUIRE(recorder.flush(usagePatience));
}

UsageCells cellsOf(const UsageFolder &folder, const UsageQuestion &question) {
  Result<UsageCells> cells = usageCells(folder.path, question.since, question.until, enoughBytes);
  if (!cells) FAIL(cells.failure().message);
  return *std::move(cells);
}

std::string asText(const std::vector<UsageRow> &rows) {
  Json all = Json::array();
  for (const UsageRow &row : rows)
    all.push_back({row.key, row.source, row.path, row.loads, row.reads, row.searches, row.refusals,
                   row.unchanged, row.nothing, row.failures, row.principals, row.clients, row.last,
                   row.meanMicroseconds});
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string summaryOfAll(const UsageFolder &folder, const UsageQuestion &question,
                         const std::vector<ServedSkill> &served, UsageOf of,
                         const UsageOthers &others = {}) {
  const Result<Json> summary = usageSummary(folder.path, question, served, of, {}, others);
  if (!summary) FAIL(summary.failure().message);
  return summary->dump(-1, ' ', false, Json::error_handler_t::replace);
}

const std::vector<ServedSkill> servedThere{{"skill-0", "shared", "team/skill-0"},
                                           {"skill-1", "other", "team/skill-1"},
                                           {"never", "shared", "team/never"}};

void execute(const std::string &path, const char *sql) {
  sqlite3 *opened = nullptr;
  REQUIRE(::sqlite3_open(path.c_str(), &opened) == SQLITE_OK);
  const std::unique_ptr<sqlite3, decltype(&::sqlite3_close)> database(opened, &::sqlite3_close);
  REQUIRE(::sqlite3_exec(opened, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
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
    // One of them may be empty, and then there is no file.
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
      question.by = UsageBy::Skill;
      // Whichever of them is asked, also one that has nothing itself.
      for (std::size_t asker = 0; asker < parts.size(); ++asker) {
        UsageOthers others;
        others.unread = [](std::size_t) { FAIL("all of them can be read"); };
        std::vector<UsageCells> cells;
        for (std::size_t i = 0; i < parts.size(); ++i)
          if (i != asker) cells.push_back(cellsOf(parts.at(i), question));
        others.cells = std::make_shared<const std::vector<UsageCells>>(std::move(cells));
        for (const UsageOf of : {UsageOf::All, UsageOf::ServedAlone})
          CHECK(summaryOfAll(parts.at(asker), question, servedThere, of, others) ==
                summaryOfAll(whole, question, servedThere, of));
      }
    }
    const auto one = unusedSkills(whole.path, {}, servedThere);
    const auto many = unusedSkills(paths, {}, servedThere);
    REQUIRE(one);
    REQUIRE(many);
    CHECK(one->size() == many->size());
  }
}

TEST_CASE("a file counts once, by whichever name and in how many answers it comes") {
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
  // Two machines that have begun with one file go on by themselves.
  CHECK(usageCells(folder.path, 0, 1, enoughBytes)->file !=
        usageCells(copy, 0, 1, enoughBytes)->file);

  UsageOthers others;
  others.cells = std::make_shared<const std::vector<UsageCells>>(
      std::vector{cellsOf(folder, {}), cellsOf(other, {}), cellsOf(other, {})});
  const Json summary = Json::parse(summaryOfAll(folder, {}, {}, UsageOf::All, others));
  CHECK(summary["totals"]["loads"] == 3);
}

TEST_CASE("a file has an id from its first event, an older one from its next") {
  const UsageFolder folder;
  CHECK(cellsOf(folder, {}).file.empty());
  record(folder, {loadOf("pdf")});
  const std::string id = cellsOf(folder, {}).file;
  CHECK(id.size() == 32);
  record(folder, {loadOf("pdf")});
  CHECK(cellsOf(folder, {}).file == id);

  execute(folder.path, "DROP TABLE identity");
  const std::string older = cellsOf(folder, {}).file;
  CHECK(older != id);
  CHECK(older == *usageFileId(folder.path));
  CHECK(cellsOf(folder, {}).file == older);
  record(folder, {loadOf("pdf")});
  const std::string next = cellsOf(folder, {}).file;
  CHECK(next != id);
  CHECK(next != older);
  CHECK(usageFileId(folder.path)->size() == 32);
}

TEST_CASE("cells that are not whole add nothing, and are named") {
  const UsageFolder folder, other;
  record(folder, {loadOf("pdf")});
  record(other, {loadOf("chart"), searchWithout("make a cake"), loadOf("pdf", "bob")});
  const UsageCells cells = cellsOf(other, {});
  CHECK(areWholeCells(cells.bytes));
  CHECK(areWholeCells({}));
  for (std::size_t size = 1; size < cells.bytes.size(); ++size)
    CHECK_FALSE(areWholeCells(std::string_view(cells.bytes).substr(0, size)));
  CHECK_FALSE(areWholeCells(cells.bytes + 'e'));
  // Any byte may be another one: never more than it says, and never a fault.
  for (std::size_t i = 0; i < cells.bytes.size(); ++i) {
    std::string changed = cells.bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x80);
    areWholeCells(changed);
  }

  UsageOthers others;
  std::vector<std::size_t> unread;
  others.unread = [&](std::size_t place) { unread.push_back(place); };
  UsageCells half = cells;
  half.bytes.resize(half.bytes.size() - 3);
  others.cells =
      std::make_shared<const std::vector<UsageCells>>(std::vector<UsageCells>{half, cells});
  const Json summary = Json::parse(summaryOfAll(folder, {}, {}, UsageOf::All, others));
  CHECK(unread == std::vector<std::size_t>{0});
  CHECK(summary["totals"]["loads"] == 3); // the same file, whole
}

TEST_CASE("sums that no server comes to are not read, and do not spoil those of the others") {
  const UsageFolder folder, other;
  record(folder, {loadOf("pdf")});
  record(other, {loadOf("pdf"), loadOf("pdf")});
  const auto cellsWith = [](std::int64_t count, std::int64_t spent, int cells) {
    CellWriter writer(enoughBytes);
    const CellSink into = writer.sink();
    UsageSubject subject;
    subject.skill = subject.path = "pdf";
    subject.source = "shared";
    into.subject(subject);
    UsageCell cell;
    cell.day = firstDay / oneDay;
    cell.newest = firstDay;
    cell.count = count;
    cell.spent = spent;
    for (int i = 0; i < cells; ++i) into.cell(cell);
    return std::move(writer).finish();
  };
  constexpr std::int64_t most = std::int64_t{1} << 52U;
  CHECK(areWholeCells(cellsWith(most, most, 1)));
  for (const std::string &broken : {cellsWith(most, 1, 2'100), cellsWith(1, most, 2'100)}) {
    UsageOthers others;
    std::vector<std::size_t> unread;
    others.unread = [&](std::size_t place) { unread.push_back(place); };
    others.cells = std::make_shared<const std::vector<UsageCells>>(
        std::vector<UsageCells>{{"broken", broken}, cellsOf(other, {})});
    const Json summary = Json::parse(summaryOfAll(folder, {}, {}, UsageOf::All, others));
    CHECK(unread == std::vector<std::size_t>{0});
    CHECK(summary["totals"]["loads"] == 3);
  }
  // As much as may come of each of many.
  UsageOthers many;
  many.unread = [](std::size_t) { FAIL("all of them can be read"); };
  std::vector<UsageCells> large;
  for (int i = 0; i < 512; ++i) large.push_back({std::to_string(i), cellsWith(most, most, 1)});
  many.cells = std::make_shared<const std::vector<UsageCells>>(std::move(large));
  const Json summary = Json::parse(summaryOfAll(folder, {}, {}, UsageOf::All, many));
  CHECK(summary["totals"]["loads"] == 512 * most + 1);
}

TEST_CASE("what comes of files without an id is counted, whatever else is") {
  const UsageFolder none, other;
  record(other, {loadOf("pdf")});
  UsageCells cells = cellsOf(other, {});
  cells.file.clear();
  UsageOthers others;
  others.cells =
      std::make_shared<const std::vector<UsageCells>>(std::vector<UsageCells>{cells, cells});
  const Json summary = Json::parse(summaryOfAll(none, {}, {}, UsageOf::All, others));
  CHECK(summary["totals"]["loads"] == 2);
}

TEST_CASE("what a file has is bounded, and given up when nobody waits") {
  const UsageFolder folder;
  std::vector<UseEvent> events;
  for (int i = 0; i < 5'000; ++i) events.push_back(loadOf("skill-" + std::to_string(i)));
  record(folder, events);
  const Result<UsageCells> large = usageCells(folder.path, 0, INT64_MAX, 10'000);
  REQUIRE_FALSE(large);
  CHECK(large.failure().fault == Fault::TooLarge);
  CHECK(usageCells(folder.path, 1, 0, 10'000)->bytes.empty()); // the id alone
  const Result<UsageCells> over =
      usageCells(folder.path, 0, INT64_MAX, enoughBytes, [] { return true; });
  if (!over) CHECK(over.failure().fault == Fault::Cancelled);
}
