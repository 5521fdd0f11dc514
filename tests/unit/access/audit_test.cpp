// SPDX-License-Identifier: Apache-2.0
// Tests of the audit: which events it writes one by one, which it counts, and which it remembers.
#include "access/audit.hpp"
#include "awaited.hpp"
#include "base/refusal_limit.hpp"
#include "catch2.hpp"
#include "ground/json.hpp"
#include "plugin/observer.hpp"
#include "repeated_reads.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;

namespace {

// Keeps the records that it observes. Any thread may call it.
class Records final : public Observer {
public:
  Records() : Observer(event::auditRecord) {}
  void auditRecord(const AuditRecord &record) noexcept override {
    const std::scoped_lock lock(mutex_);
    all_.push_back(Json::parse("{" + std::string(record.members) + "}"));
  }
  std::vector<Json> all() const {
    const std::scoped_lock lock(mutex_);
    return all_;
  }

private:
  mutable std::mutex mutex_;
  std::vector<Json> all_;
};

constexpr std::chrono::seconds patience{30};

} // namespace

TEST_CASE("the last events are kept, with or without an observer") {
  AuditRules rules;
  rules.maxRecentEvents = 2;
  Audit audit({}, rules);
  CHECK(audit.recent().empty());
  for (const char *const subject : {"a", "b", "c"})
    audit.write({.kind = "managed", .subject = subject});
  const std::vector<std::string> recent = audit.recent();
  REQUIRE(recent.size() == 2);
  const auto last = readJsonObject(recent.back());
  REQUIRE(last);
  CHECK(last->at("event") == "managed");
  CHECK(last->at("subject") == "c");
  CHECK(last->contains("time"));
}

TEST_CASE("who guesses is told of one by one ten times, then counted") {
  const Principal ada{"ada", "house", {}, {}, 0};
  const auto records = std::make_shared<Records>();
  {
    Audit audit(Observers({records}));
    for (int port = 0; port < 1'000; ++port)
      audit.write({.kind = "refused", .status = 401, .peer = "192.0.2.1:" + std::to_string(port)});
    for (int i = 0; i < 20; ++i)
      audit.write({.kind = "refused", .status = 403, .peer = "192.0.2.1:1", .principal = &ada});
    audit.write({.kind = "refused", .status = 401, .peer = "192.0.2.2:1"});
  }
  const std::vector<Json> all = records->all();
  REQUIRE(all.size() == 10 + 20 + 1 + 1);
  CHECK(all.back()["peer"] == "192.0.2.1");
  CHECK(all.back()["count"] == 990);
}

TEST_CASE("the count of guesses is told when their minute is over") {
  const auto records = std::make_shared<Records>();
  Audit audit(Observers({records}),
              {.maxLoggedRefusals = 1, .span = std::chrono::milliseconds(20)});
  for (int i = 0; i < 3; ++i) audit.write({.kind = "refused", .status = 401, .peer = "a:1"});
  const auto until = std::chrono::steady_clock::now() + patience;
  while (records->all().size() < 2 || !records->all().back().contains("count"))
    REQUIRE(std::chrono::steady_clock::now() < until);
  RefusalLimit limit(1, std::chrono::seconds(60));
  RefusalLimit::Moment now{std::chrono::hours(1)};
  for (int i = 0; i < 3'000; ++i) limit.tell("address " + std::to_string(i), now);
  CHECK_FALSE(limit.tell("one more", now)); // the further addresses share one count
  CHECK(limit.take(now).empty());
  now += std::chrono::seconds(60);
  const auto untold = limit.take(now);
  REQUIRE(untold.size() == 1);
  CHECK(untold[0] == std::pair<std::string, std::size_t>("others", 3'000 - 1'024));
  CHECK(limit.tell("address 1", now));
}

TEST_CASE("looks that are repeated are one line, and one more that counts them") {
  const Principal ada{"ada", "house", {}, {}, 0}, eve{"eve", "house", {}, {}, 0};
  Audit audit;
  const auto read = [&](const Principal *who, std::string_view uri, std::string_view from) {
    audit.write({.kind = "managed", .subject = uri, .principal = who, .repeatedFrom = from});
  };
  for (int i = 0; i < 5; ++i) read(&ada, "skillhost://audit", "192.0.2.1");
  read(&ada, "skillhost://audit", "192.0.2.2"); // the token is used from a second address
  read(&ada, "skillhost://stats", "192.0.2.1");
  read(&eve, "skillhost://audit", "192.0.2.1");
  read(nullptr, "skillhost://audit", "stdio");
  CHECK(audit.recent().size() == 5);
  // Every event that is not a look gets a line of its own.
  for (int i = 0; i < 3; ++i)
    audit.write({.kind = "managed", .subject = "reload_skills_directory", .principal = &ada});
  CHECK(audit.recent().size() == 8);
  audit.write({.kind = "stopped"});
  const std::vector<std::string> all = audit.recent();
  REQUIRE(all.size() == 10);
  const auto counted = readJsonObject(all[8]);
  REQUIRE(counted);
  CHECK(counted->at("event") == "managed");
  CHECK(counted->at("count") == 4);
  CHECK(counted->at("subject") == "skillhost://audit");
  CHECK(counted->at("principal") == "ada");
  CHECK(counted->at("issuer") == "house");
  CHECK(counted->at("peer") == "192.0.2.1");
}

TEST_CASE("looks beyond what is remembered are told one by one") {
  AuditRules rules;
  rules.maxRememberedReads = 2;
  Audit audit({}, rules);
  for (int times = 0; times < 3; ++times)
    for (const char *const uri : {"a", "b", "c", "d"})
      audit.write({.kind = "managed", .subject = uri, .repeatedFrom = "192.0.2.1"});
  CHECK(audit.recent().size() == 2 + 3 + 3);
}

TEST_CASE("looks are counted again after each span, and forgotten when there were none") {
  std::vector<std::size_t> told;
  RepeatedReads reads(10, std::chrono::hours(1),
                      [&](const RepeatedRead &, std::size_t count) { told.push_back(count); });
  const RepeatedRead read{"house", "ada", "skillhost://audit", "192.0.2.1"};
  CHECK(reads.isFirst(read));
  CHECK_FALSE(reads.isFirst(read));
  CHECK_FALSE(reads.isFirst(read));
  reads.reportCounts();
  CHECK(told == std::vector<std::size_t>{2});
  CHECK_FALSE(reads.isFirst(read)); // the span goes on
  reads.reportCounts();
  CHECK(told == std::vector<std::size_t>{2, 1});
  reads.reportCounts();
  CHECK(told.size() == 2);
  CHECK(reads.isFirst(read));
}

TEST_CASE("a clock tells the counts when nobody looks any more") {
  Awaited<std::size_t> told;
  RepeatedReads reads(10, std::chrono::milliseconds(200),
                      [&](const RepeatedRead &, std::size_t count) { told.push(count); });
  const RepeatedRead read{{}, {}, "skillhost://stats", "stdio"};
  // The loop normally takes one round, and more when the machine pauses for a whole span.
  while (reads.isFirst(read)) {}
  CHECK(told.next() == 1);
}
