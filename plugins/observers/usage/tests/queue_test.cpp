// SPDX-License-Identifier: Apache-2.0
// Tests that equal uses of one second are one row, and that every report is the same as with one
// row for each use.
#include "recorded.hpp"

#include "database/sqlite.hpp"
#include "usage_queue.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <functional>
#include <random>

using namespace skillhost;

namespace {

constexpr std::int64_t queueDay = 1'785'196'800'000; // 2026-07-28
constexpr std::size_t roomForAll = 1'000;

UseView viewOfUse(const UseEvent &event) {
  return {subjectAs<std::string_view>(event), event.text, event.time, event.microseconds};
}

UseEvent loadAt(std::int64_t time, std::string skill = "pdf") {
  UseEvent event = loadOf(std::move(skill));
  event.time = time;
  return event;
}

// A queue with the keyed hash by which it finds equal uses.
struct HashedQueue {
  SubjectHash hash;
  UsageQueue queue;
  UsageQueue::Added add(const UseEvent &event, std::size_t most = roomForAll) {
    const UseView view = viewOfUse(event);
    return queue.add(view, hash.of(view), most);
  }
};

// Makes three days of uses of a few people, some of whom repeat the same use within one second.
std::vector<UseEvent> busyEvents(std::mt19937 &random, int moments) {
  const auto below = [&](unsigned most) { return static_cast<std::int64_t>(random() % most); };
  std::vector<UseEvent> events;
  for (int i = 0; i < moments; ++i) {
    const std::int64_t second =
        queueDay + i * (std::int64_t{3} * 86'400'000 / moments / 1'000) * 1'000;
    for (std::int64_t left = 1 + below(12); left > 0; --left) {
      UseEvent event = below(9) == 0 ? searchWithout("asked " + std::to_string(below(3)))
                                     : loadOf("skill-" + std::to_string(below(2)),
                                              "person-" + std::to_string(below(2)));
      if (below(4) == 0) event.outcome = useUnchanged;
      if (below(8) == 0) event.kind = UseKind::Read;
      event.time = second + below(1'000);
      event.microseconds = static_cast<std::uint32_t>(below(4'000'000'000U));
      events.push_back(std::move(event));
    }
  }
  return events;
}

enum class Rows { Together, Each };

void recordInto(const UsageFolder &folder, const std::vector<UseEvent> &events, Rows rows) {
  UsageSettings settings = folder.settings();
  settings.keepDays = 36'500;
  settings.key = Blake3Key::derived("skillhost test of alike uses", "of both files");
  UsageRecorder recorder(settings, rows == Rows::Each ? quickly() : UsageRules{});
  for (const UseEvent &event : events) {
    recorder.record(event);
    if (rows == Rows::Each) REQUIRE(recorder.flush(usagePatience));
  }
  REQUIRE(recorder.flush(usagePatience));
}

std::string reportOf(const UsageFolder &folder, const UsageQuestion &question) {
  const auto rows = usageRows(folder.path, question);
  REQUIRE(rows);
  Json all = Json::array();
  for (const UsageRow &row : *rows)
    all.push_back({row.key, row.source, row.path, row.loads, row.reads, row.searches, row.refusals,
                   row.unchanged, row.nothing, row.failures, row.principals, row.clients,
                   row.last / 1'000, row.meanMicroseconds});
  return all.dump();
}

} // namespace

TEST_CASE("uses of one second that are alike are one entry with their number") {
  HashedQueue all;
  UseEvent first = loadAt(queueDay + 400), second = loadAt(queueDay + 999);
  second.microseconds = 4'000'000'000U;
  UseEvent third = loadAt(queueDay); // from another thread that was faster
  third.microseconds = 4'000'000'000U;
  CHECK(all.add(first) == UsageQueue::Added::Appended);
  CHECK(all.add(second) == UsageQueue::Added::Merged);
  CHECK(all.add(third) == UsageQueue::Added::Merged);
  REQUIRE(all.queue.size() == 1);
  const UsageEntry &entry = all.queue.entries().front();
  CHECK(entry.count == 3);
  CHECK(entry.microseconds == 8'000'000'120);
  CHECK(entry.time == queueDay + 999); // time of the newest
  CHECK(entry.subject.path == "team/pdf");
  // A use of the next second is another entry, and so is a use that arrives late.
  CHECK(all.add(loadAt(queueDay + 1'000)) == UsageQueue::Added::Appended);
  CHECK(all.add(loadAt(queueDay + 500)) == UsageQueue::Added::Appended);
}

TEST_CASE("uses that differ in anything are entries of their own") {
  const std::array<std::function<void(UseEvent &)>, 10> changes{
      [](UseEvent &event) { event.kind = UseKind::Read; },
      [](UseEvent &event) { event.skill += '2'; },
      [](UseEvent &event) { event.source += '2'; },
      [](UseEvent &event) { event.path += '2'; },
      [](UseEvent &event) { event.digest += '2'; },
      [](UseEvent &event) { event.issuer += '2'; },
      [](UseEvent &event) { event.person += '2'; },
      [](UseEvent &event) { event.client += '2'; },
      [](UseEvent &event) { event.outcome = useUnchanged; },
      [](UseEvent &event) { event.text = "asked in vain"; }};
  HashedQueue all;
  CHECK(all.add(loadAt(queueDay)) == UsageQueue::Added::Appended);
  for (const auto &change : changes) {
    UseEvent event = loadAt(queueDay);
    change(event);
    CHECK(all.add(event) == UsageQueue::Added::Appended);
  }
  // A search that found nothing has an entry of its own, even if it is repeated.
  UseEvent asked = loadAt(queueDay);
  asked.text = "asked in vain";
  CHECK(all.add(asked) == UsageQueue::Added::Appended);
  CHECK(all.queue.size() == changes.size() + 2);
  for (const UsageEntry &entry : all.queue.entries()) CHECK(entry.count == 1);
}

TEST_CASE("two subjects of one hash stay two") {
  UsageQueue queue;
  const UseEvent pdf = loadAt(queueDay), chart = loadAt(queueDay, "chart");
  for (int i = 0; i < 2; ++i)
    for (const UseEvent *event : {&pdf, &chart, &chart})
      queue.add(viewOfUse(*event), 7, roomForAll);
  std::int64_t pdfs = 0, charts = 0;
  for (const UsageEntry &entry : queue.entries())
    (entry.subject.skill == "pdf" ? pdfs : charts) += entry.count;
  CHECK(pdfs == 2);
  CHECK(charts == 4);
}

TEST_CASE("a hash is by a secret of its own") {
  const UseEvent event = loadAt(queueDay);
  const UseView view = viewOfUse(event);
  const SubjectHash one, other;
  CHECK(one.of(view) == one.of(view));
  CHECK(one.of(view) != other.of(view));
}

TEST_CASE("a full queue takes what is like one of its entries, and nothing else") {
  HashedQueue all;
  CHECK(all.add(loadAt(queueDay, "one"), 2) == UsageQueue::Added::Appended);
  CHECK(all.add(loadAt(queueDay, "two"), 2) == UsageQueue::Added::Appended);
  CHECK(all.add(loadAt(queueDay, "three"), 2) == UsageQueue::Added::QueueFull);
  CHECK(all.add(loadAt(queueDay + 7, "one"), 2) == UsageQueue::Added::Merged);
  CHECK(all.queue.size() == 2);
  // An emptied queue does not remember its former entries.
  UsageQueue taken;
  taken.swap(all.queue);
  CHECK(all.queue.isEmpty());
  CHECK(all.add(loadAt(queueDay, "one"), 2) == UsageQueue::Added::Appended);
  CHECK(taken.entries().front().count == 2);
}

TEST_CASE("what is lost and what is written is counted use by use") {
  const UsageFolder folder;
  metrics::Registry registry;
  UsageRules rules;
  rules.waiting = 4;
  {
    UsageRecorder recorder(folder.settings(), rules, registry);
    for (int i = 0; i < 300; ++i) recorder.record(loadOf("pdf"));
    CHECK(recorder.flush(usagePatience));
    CHECK(registry.counter({"skillhost_usage_events_total", {}}).value() == 300);
  }
  CHECK(registry.counter({"skillhost_usage_lost_total", {}}).value() == 0);
  CHECK(rowsOf(folder.path).at(0).loads == 300);
  const UsageFolder none;
  std::filesystem::create_directories(none.path); // a folder in place of the file
  {
    UsageRecorder recorder(none.settings(), rules, registry);
    for (int i = 0; i < 300; ++i) recorder.record(loadAt(queueDay));
    CHECK(recorder.flush(usagePatience));
  }
  CHECK(registry.counter({"skillhost_usage_lost_total", {}}).value() == 300);
}

TEST_CASE("reports of alike uses are those of the same uses with a row each") {
  std::mt19937 random(20'261'127);
  const std::vector<UseEvent> events = busyEvents(random, 25);
  const UsageFolder together, each;
  recordInto(together, events, Rows::Together);
  recordInto(each, events, Rows::Each);
  const auto rowsIn = [](const UsageFolder &folder) {
    Database database(folder.path, Database::Mode::Read);
    CHECK(database.number("SELECT sum(count) FROM events") ==
          database.number("SELECT sum(count) FROM uses"));
    return database.number("SELECT count(*) FROM events");
  };
  CHECK(rowsIn(each) == static_cast<std::int64_t>(events.size()));
  CHECK(rowsIn(together) < rowsIn(each));
  const std::vector<UsageQuestion> questions{
      {},
      {.limit = 2},
      {.since = events[events.size() / 3].time / 1'000 * 1'000,
       .until = events[events.size() / 2].time / 1'000 * 1'000},
      {.kind = UseKind::Load},
      {.skill = "skill-1"}};
  for (UsageQuestion question : questions) {
    for (std::size_t by = 0; by < usageByNames.size(); ++by) {
      question.by = static_cast<UsageBy>(by);
      INFO("by " << usageByNames.at(by));
      CHECK(reportOf(together, question) == reportOf(each, question));
    }
    question.by = UsageBy::Skill;
    const auto one = usageSummary(together.path, question, {}, UsageOf::All);
    const auto many = usageSummary(each.path, question, {}, UsageOf::All);
    REQUIRE(one);
    REQUIRE(many);
    CHECK(one->dump() == many->dump());
  }
}
