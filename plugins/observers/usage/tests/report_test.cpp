// SPDX-License-Identifier: Apache-2.0
#include "recorded.hpp"

#include <nlohmann/json.hpp>

#include <future>
#include <thread>

using namespace skillhost;

namespace {

constexpr std::int64_t dayOne = 1'785'196'800'000, dayTwo = dayOne + 86'400'000; // 2026-07-28, 29

// Records two days of use, which are long ago, but are not pruned.
void fill(const UsageFolder &folder) {
  UsageSettings settings = folder.settings();
  settings.keepDays = 36'500;
  UsageRecorder recorder(settings, quickly());
  const auto add = [&](UseEvent event, std::int64_t time) {
    event.time = time;
    recorder.record(std::move(event));
  };
  add(loadOf("pdf"), dayOne);
  add(loadOf("pdf", "bob"), dayOne + 1'000);
  UseEvent held = loadOf("pdf");
  held.outcome = useUnchanged;
  add(held, dayTwo);
  UseEvent read = loadOf("chart");
  read.kind = UseKind::Read;
  add(read, dayTwo + 1'000);
  UseEvent broken = loadOf("broken");
  broken.outcome = "OPERATION_FAILED";
  add(broken, dayTwo + 2'000);
  add(searchWithout("make a cake"), dayTwo + 3'000);
  add(searchWithout("make a cake"), dayTwo + 4'000);
  UseEvent search = searchWithout("");
  search.outcome = useDone;
  add(search, dayTwo + 5'000);
  UseEvent refusal;
  refusal.kind = UseKind::Refusal;
  refusal.outcome = "PERMISSION_DENIED";
  add(refusal, dayTwo + 6'000);
  REQUIRE(recorder.flush(usagePatience));
}

std::vector<UsageRow> asked(const UsageFolder &folder, const UsageQuestion &question) {
  const auto rows = usageRows(folder.path, question);
  if (!rows) FAIL(rows.failure().message);
  return *rows;
}

const std::vector<ServedSkill> served{{"pdf", "shared", "team/pdf"},
                                      {"chart", "shared", "team/chart"},
                                      {"broken", "shared", "team/broken"},
                                      {"never", "shared", "team/never"}};

} // namespace

TEST_CASE("figures by skill, day, client and what was not found") {
  const UsageFolder folder;
  fill(folder);
  const std::vector<UsageRow> skills = asked(folder, {});
  REQUIRE(skills.size() == 3);
  CHECK(skills[0].key == "pdf");
  CHECK(skills[0].loads == 3);
  CHECK(skills[0].unchanged == 1);
  CHECK(skills[0].principals == 2);
  CHECK(skills[0].last == dayTwo);
  CHECK(skills[1].key == "broken");
  CHECK(skills[1].failures == 1);
  CHECK(skills[2].reads == 1);

  const std::vector<UsageRow> days = asked(folder, {.by = UsageBy::Day});
  REQUIRE(days.size() == 2);
  CHECK(days[0].key == "2026-07-28");
  CHECK(days[0].loads == 2);
  CHECK(days[1].key == "2026-07-29");
  CHECK(days[1].searches == 3);
  CHECK(days[1].nothing == 2);
  CHECK(days[1].refusals == 1);
  CHECK(days[1].failures == 1);

  const std::vector<UsageRow> queries = asked(folder, {.by = UsageBy::Query});
  REQUIRE(queries.size() == 1);
  CHECK(queries[0].key == "make a cake");
  CHECK(queries[0].searches == 2);

  const std::vector<UsageRow> clients = asked(folder, {.by = UsageBy::Client});
  REQUIRE(clients.size() == 2);
  CHECK(clients[0].key == "editor");
  CHECK(clients[0].all() == 8);
  CHECK(clients[1].key.empty());
}

TEST_CASE("a question has a time, a kind and a number of rows") {
  const UsageFolder folder;
  fill(folder);
  CHECK(asked(folder, {.since = dayTwo}).at(0).loads == 1);
  const std::vector<UsageRow> first = asked(folder, {.until = dayTwo});
  REQUIRE(first.size() == 1);
  CHECK(first[0].loads == 2);
  const std::vector<UsageRow> reads = asked(folder, {.kind = UseKind::Read});
  REQUIRE(reads.size() == 1);
  CHECK(reads[0].key == "chart");
  CHECK(asked(folder, {.limit = 2}).size() == 2);
  CHECK(asked(folder, {.since = dayTwo + 86'400'000}).empty());
}

TEST_CASE("a question can be about one skill, by its name or its id") {
  const UsageFolder folder;
  fill(folder);
  for (const char *skill : {"pdf", "shared/team/pdf"}) {
    const auto people = asked(folder, {.by = UsageBy::Principal, .skill = skill});
    REQUIRE(people.size() == 2);
    CHECK(people[0].loads == 2);
  }
  CHECK(asked(folder, {.skill = "pd"}).empty());
  CHECK(asked(folder, {.skill = "' OR 1=1 --"}).empty());
}

TEST_CASE("the recorder answers questions about its file on another thread") {
  const UsageFolder folder;
  fill(folder);
  UsageRecorder recorder(folder.settings(), quickly());
  std::promise<std::pair<Result<Json>, std::thread::id>> answered;
  recorder.summarize({.limit = 5}, served, UsageOf::All, {}, [&](Result<Json> summary) {
    answered.set_value({std::move(summary), std::this_thread::get_id()});
  });
  const auto [summary, thread] = answered.get_future().get();
  REQUIRE(summary);
  CHECK((*summary)["totals"]["loads"] == 4);
  CHECK(thread != std::this_thread::get_id());
}

TEST_CASE("who no longer waits for an answer keeps nobody from theirs") {
  const UsageFolder folder;
  {
    UsageRecorder recorder(folder.settings(), quickly());
    for (int i = 0; i < 50'000; ++i) recorder.record(loadOf("skill-" + std::to_string(i % 5'000)));
  }
  UsageRecorder recorder(folder.settings(), quickly());
  std::promise<Result<Json>> given, wanted;
  recorder.summarize(
      {}, {}, UsageOf::All, [] { return true; },
      [&](Result<Json> summary) { given.set_value(std::move(summary)); });
  recorder.summarize({}, {}, UsageOf::All, {},
                     [&](Result<Json> summary) { wanted.set_value(std::move(summary)); });
  CHECK(given.get_future().get().failure().fault == Fault::Cancelled);
  const Result<Json> summary = wanted.get_future().get();
  REQUIRE(summary);
  CHECK((*summary)["skills"].size() == 5'000);
}

TEST_CASE("unused is what nobody could use in that time") {
  const UsageFolder folder;
  fill(folder);
  const auto unused = unusedSkills(folder.path, {}, served);
  REQUIRE(unused);
  REQUIRE(unused->size() == 2);
  CHECK(unused->at(0).name == "broken");
  CHECK(unused->at(1).name == "never");
  CHECK(unusedSkills(folder.path, {.until = dayOne}, served)->size() == 4);
}

TEST_CASE("the summary has all of it, and nothing of what its reader must not see") {
  const UsageFolder folder;
  fill(folder);
  const Result<Json> whole = usageSummary(folder.path, {.limit = 10}, served, UsageOf::All);
  REQUIRE(whole);
  CHECK((*whole)["totals"]["loads"] == 4);
  CHECK((*whole)["totals"]["searches"] == 3);
  CHECK((*whole)["days"].size() == 2);
  CHECK((*whole)["skills"].at(0)["id"] == "shared/team/pdf");
  const Json users = (*whole)["skills"].at(0)["used_by"];
  REQUIRE(users.size() == 2);
  CHECK(users.at(0)["count"] == 2);
  CHECK(users.at(0)["principal"].get<std::string>().starts_with("h-"));
  CHECK((*whole)["failing"].at(0)["name"] == "broken");
  CHECK((*whole)["not_found"].at(0)["asked"] == "make a cake");
  CHECK((*whole)["unused_total"] == 2);
  CHECK((*whole)["principals"].size() == 3); // two, and those without a principal

  const Result<Json> part = usageSummary(folder.path, {.limit = 10},
                                         {{"chart", "shared", "team/chart"}}, UsageOf::ServedAlone);
  REQUIRE(part);
  CHECK((*part)["skills"].size() == 1);
  CHECK(part->dump().find("pdf") == std::string::npos);
  CHECK(part->dump().find("broken") == std::string::npos);
  CHECK((*part)["not_found"].empty());
  // Uses of other skills are in no figure.
  CHECK((*part)["totals"]["loads"] == 0);
  CHECK((*part)["totals"]["reads"] == 1);
  CHECK((*part)["totals"]["failures"] == 0);
  CHECK((*part)["totals"]["searches"] == 3); // without a skill
  REQUIRE((*part)["days"].size() == 1);
  CHECK((*part)["days"].at(0)["day"] == "2026-07-29");
  CHECK((*part)["clients"].at(0)["loads"] == 0);
  CHECK((*part)["principals"].size() == 2); // the reader, and those without a principal
}

TEST_CASE("without a file a summary is empty, and rows say that there is none") {
  const UsageFolder folder;
  const Result<Json> summary = usageSummary(folder.path, {}, served, UsageOf::All);
  REQUIRE(summary);
  CHECK((*summary)["unused"].size() == 4);
  CHECK((*summary)["totals"]["loads"] == 0);
  const auto rows = usageRows(folder.path, {});
  REQUIRE_FALSE(rows);
  CHECK(rows.failure().fault == Fault::NotFound);
  CHECK(rows.failure().message.find(folder.path) != std::string::npos);
}
