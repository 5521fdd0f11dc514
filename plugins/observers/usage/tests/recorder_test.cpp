// SPDX-License-Identifier: Apache-2.0
#include "database/sqlite.hpp"
#include "recorded.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

using namespace skillhost;

namespace {

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns true if the text is in the files that SQLite has written.
bool standsIn(const std::string &path, const std::string &text) {
  return contentOf(path).find(text) != std::string::npos ||
         contentOf(path + "-wal").find(text) != std::string::npos;
}

mode_t modeOf(const std::string &path) {
  struct stat found{};
  REQUIRE(::stat(path.c_str(), &found) == 0);
  return found.st_mode & 0777U;
}

} // namespace

TEST_CASE("what was recorded stands in the file when the recorder has ended") {
  const UsageFolder folder;
  metrics::Registry registry;
  {
    UsageRecorder recorder(folder.settings(), {}, registry);
    recorder.record(loadOf("pdf"));
    recorder.record(loadOf("pdf", "bob"));
    recorder.record(loadOf("chart"));
  }
  const std::vector<UsageRow> rows = rowsOf(folder.path);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].key == "pdf");
  CHECK(rows[0].source == "shared");
  CHECK(rows[0].path == "team/pdf");
  CHECK(rows[0].loads == 2);
  CHECK(rows[0].principals == 2);
  CHECK(rows[0].clients == 1);
  CHECK(rows[0].meanMicroseconds == 120);
  CHECK(rows[1].loads == 1);
  CHECK(registry.counter({"skillhost_usage_events_total", {}}).value() == 3);
  CHECK(registry.counter({"skillhost_usage_lost_total", {}}).value() == 0);
  CHECK(modeOf(folder.path) == 0600);
  CHECK(modeOf(folder.path + ".key") == 0600);
}

TEST_CASE("without an event no file is made") {
  const UsageFolder folder;
  { const UsageRecorder recorder(folder.settings()); }
  CHECK_FALSE(std::filesystem::exists(folder.path));
  CHECK_FALSE(std::filesystem::exists(folder.path + ".key"));
}

TEST_CASE("a principal stands in the file as a hash, by name, or not at all") {
  const UsageFolder folder;
  UsageSettings settings = folder.settings();
  std::string expected;
  SECTION("hashed") {}
  SECTION("by name") {
    settings.principals = UsageSettings::Principals::Names;
    expected = "ada-the-first (https://id.example)";
  }
  SECTION("none") { settings.principals = UsageSettings::Principals::None; }
  {
    UsageRecorder recorder(settings, quickly());
    recorder.record(loadOf("pdf", "ada-the-first"));
  }
  const std::vector<UsageRow> rows = rowsOf(folder.path, UsageBy::Principal);
  REQUIRE(rows.size() == 1);
  if (settings.principals == UsageSettings::Principals::Hashed) {
    CHECK(rows[0].key.size() == 26);
    CHECK(rows[0].key.starts_with("h-"));
    CHECK_FALSE(standsIn(folder.path, "ada-the-first"));
    // The hash is the same after a restart, because the key is kept.
    { UsageRecorder(settings, quickly()).record(loadOf("pdf", "ada-the-first")); }
    CHECK(rowsOf(folder.path, UsageBy::Principal).size() == 1);
    // Another key results in another hash.
    std::filesystem::remove(folder.path + ".key");
    { UsageRecorder(settings, quickly()).record(loadOf("pdf", "ada-the-first")); }
    CHECK(rowsOf(folder.path, UsageBy::Principal).size() == 2);
  } else {
    CHECK(rows[0].key == expected);
    CHECK_FALSE(std::filesystem::exists(folder.path + ".key"));
  }
}

TEST_CASE("a key that others may read is not used, and the figures go on without principals") {
  const UsageFolder folder;
  std::filesystem::create_directories(folder.folder.path() + "/cache");
  std::ofstream(folder.path + ".key") << std::string(64, 'a') << '\n';
  REQUIRE(::chmod((folder.path + ".key").c_str(), 0644) == 0);
  { UsageRecorder(folder.settings(), quickly()).record(loadOf("pdf")); }
  CHECK(rowsOf(folder.path).at(0).loads == 1);
  CHECK(rowsOf(folder.path).at(0).principals == 0);
}

TEST_CASE("an event that finds no room is lost, counted, and nobody waits") {
  const UsageFolder folder;
  metrics::Registry registry;
  UsageRules rules;
  rules.waiting = 4;
  rules.pause = std::chrono::hours(1); // nothing is written meanwhile
  {
    UsageRecorder recorder(folder.settings(), rules, registry);
    // The second wakes the writer, which may take between 2 and 4 events.
    for (int i = 0; i < 100; ++i) recorder.record(loadOf("pdf", "person-" + std::to_string(i)));
    CHECK(registry.counter({"skillhost_usage_lost_total", {}}).value() >= 1);
  }
  const double lost = registry.counter({"skillhost_usage_lost_total", {}}).value();
  CHECK(static_cast<double>(rowsOf(folder.path).at(0).loads) + lost == 100);
}

TEST_CASE("who is refused again and again does not push out what others did") {
  const UsageFolder folder;
  metrics::Registry registry;
  {
    UsageSettings settings = folder.settings();
    settings.keepDays = 36'500;
    UsageRecorder recorder(settings, {}, registry);
    UseEvent refusal;
    refusal.kind = UseKind::Refusal;
    refusal.outcome = "RATE_LIMITED";
    refusal.time = 1'700'000'000'000; // all of them in one second
    for (int i = 0; i < 1'000; ++i) recorder.record(refusal);
    recorder.record(loadOf("pdf"));
  }
  CHECK(rowsOf(folder.path).at(0).loads == 1);
  const std::vector<UsageRow> clients = rowsOf(folder.path, UsageBy::Client);
  std::uint64_t refusals = 0;
  for (const UsageRow &row : clients) refusals += row.refusals;
  CHECK(refusals == UsageRules{}.refusals);
  // They are left out on purpose and do not count as lost.
  CHECK(registry.counter({"skillhost_usage_lost_total", {}}).value() == 0);
  CHECK(registry.counter({"skillhost_usage_refusals_skipped_total", {}}).value() ==
        1'000 - UsageRules{}.refusals);
}

TEST_CASE("a client that calls itself ever other names does not grow the file by names") {
  const UsageFolder folder;
  UsageRules rules = quickly();
  rules.clients = 3;
  {
    UsageRecorder recorder(folder.settings(), rules);
    for (int i = 0; i < 50; ++i) {
      UseEvent event = loadOf("pdf");
      event.client = "client-" + std::to_string(i) + std::string(300, 'x');
      recorder.record(event);
    }
  }
  const std::vector<UsageRow> rows = rowsOf(folder.path, UsageBy::Client);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].key == "(other)");
  CHECK(rows[0].loads == 47);
  CHECK(rows[1].key.size() <= 64);
}

TEST_CASE("many threads record, and two processes' worth of writers share one file") {
  const UsageFolder folder;
  metrics::Registry registry;
  constexpr int threads = 4, each = 2'000;
  {
    UsageRecorder one(folder.settings(), quickly(), registry);
    UsageRecorder other(folder.settings(), quickly(), registry);
    std::vector<std::thread> all;
    all.reserve(threads);
    for (int t = 0; t < threads; ++t)
      all.emplace_back([&, t] {
        for (int i = 0; i < each; ++i)
          (t % 2 == 0 ? one : other).record(loadOf("skill-" + std::to_string(i % 10)));
      });
    for (std::thread &thread : all) thread.join();
    CHECK(one.flush(usagePatience));
    CHECK(other.flush(usagePatience));
  }
  std::uint64_t loads = 0;
  const std::vector<UsageRow> rows = rowsOf(folder.path);
  for (const UsageRow &row : rows) loads += row.loads;
  CHECK(rows.size() == 10);
  CHECK(registry.counter({"skillhost_usage_lost_total", {}}).value() == 0);
  CHECK(loads == threads * each);
}

TEST_CASE("the file keeps its bound, and the newest events stay") {
  const UsageFolder folder;
  UsageSettings settings = folder.settings();
  settings.maxBytes = 1U << 20U;
  const std::int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
  constexpr int rounds = 40, each = 5'000;
  UsageRecorder recorder(settings, quickly());
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < each; ++i) {
      UseEvent event = loadOf("skill-" + std::to_string(i % 50));
      event.time = now - (rounds * each - round * each - i) * 1'000; // no two are equal
      recorder.record(std::move(event));
    }
    REQUIRE(recorder.flush(usagePatience));
    REQUIRE(std::filesystem::file_size(folder.path) <= settings.maxBytes);
  }
  std::uint64_t loads = 0;
  for (const UsageRow &row : rowsOf(folder.path)) loads += row.loads;
  CHECK(loads < rounds * each);
  CHECK(loads > 10'000);
  UsageQuestion newest;
  newest.since = now - each * 1'000;
  const auto kept = usageRows(folder.path, newest);
  REQUIRE(kept);
  std::uint64_t last = 0;
  for (const UsageRow &row : *kept) last += row.loads;
  CHECK(last == each);
}

TEST_CASE("what differs in every event goes with the events") {
  const UsageFolder folder;
  UsageSettings settings = folder.settings();
  settings.maxBytes = 4U << 20U;
  UsageRecorder recorder(settings, quickly());
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 2'000; ++i) {
      UseEvent event = loadOf("skill-" + std::to_string(i), "person-" + std::to_string(round));
      event.digest = std::to_string(round) + "-" + std::to_string(i);
      recorder.record(std::move(event));
    }
    REQUIRE(recorder.flush(usagePatience));
    REQUIRE(std::filesystem::file_size(folder.path) <= settings.maxBytes);
  }
  Database database(folder.path, Database::Mode::Read);
  CHECK(database.number("SELECT count(*) FROM subjects WHERE id NOT IN "
                        "(SELECT subject FROM events)") == 0);
  CHECK(database.number("SELECT count(*) FROM events WHERE subject NOT IN "
                        "(SELECT id FROM subjects)") == 0);
  const std::int64_t kept = database.number("SELECT count(*) FROM events");
  CHECK(kept > 1'000);
  CHECK(kept < 40'000);
}

TEST_CASE("events go after the days they are kept") {
  const UsageFolder folder;
  UsageSettings settings = folder.settings();
  settings.keepDays = 2;
  {
    UsageRecorder recorder(settings, quickly());
    UseEvent old = loadOf("old");
    old.time = 1'600'000'000'000;
    recorder.record(old);
    recorder.record(loadOf("new"));
  }
  const std::vector<UsageRow> rows = rowsOf(folder.path);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].key == "new");
}

TEST_CASE("an event of another clock takes no others with it, and keeps none") {
  const UsageFolder folder;
  UsageSettings settings = folder.settings();
  settings.keepDays = 2;
  {
    UsageRecorder recorder(settings, quickly());
    const auto at = [&](const char *skill, std::int64_t time) {
      UseEvent event = loadOf(skill);
      event.time = time;
      recorder.record(event);
    };
    at("ahead", 4'000'000'000'000);
    at("old", 1'600'000'000'000);
    recorder.record(loadOf("new"));
    at("behind", 1'000);
    recorder.record(loadOf("newer"));
  }
  std::vector<std::string> kept;
  for (const UsageRow &row : rowsOf(folder.path)) kept.push_back(row.key);
  std::sort(kept.begin(), kept.end());
  CHECK(kept == std::vector<std::string>{"behind", "new", "newer"});
}
