// SPDX-License-Identifier: Apache-2.0
// The audit file: who may read it, what a line is, and that it can be moved away.
#include "access/audit.hpp"
#include "access/audit_file.hpp"
#include "awaited.hpp"
#include "base/refusal_limit.hpp"
#include "catch2.hpp"
#include "ground/json.hpp"
#include "repeated_looks.hpp"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;

namespace {

struct Folder {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("skillhost-audit-" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

// An audit whose records are kept in a file.
struct KeptAudit {
  explicit KeptAudit(std::string path, AuditFileRules fileRules = {}, AuditRules rules = {})
      : file(std::make_shared<AuditFile>(std::move(path), fileRules)),
        audit(Observers({file}), rules) {}
  void write(const AuditEvent &event) { audit.write(event); }
  bool flush(std::chrono::milliseconds span) { return file->flush(span); }

  std::shared_ptr<AuditFile> file;
  Audit audit;
};

constexpr std::chrono::seconds patience{30};

int count(const std::vector<Json> &lines, const std::string &event) {
  return static_cast<int>(std::count_if(lines.begin(), lines.end(),
                                        [&](const Json &line) { return line["event"] == event; }));
}

std::vector<Json> lines(const std::filesystem::path &file) {
  std::vector<Json> all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) all.push_back(Json::parse(line));
  return all;
}

} // namespace

TEST_CASE("each event is one JSON object in a file that only its owner reads") {
  const Folder folder;
  const auto file = folder.path / "audit.jsonl";
  const Principal ada{"ada\n\"x\"", "house", {}, {}, 0};
  {
    KeptAudit audit(file.string());
    audit.write(
        {"refused", 403, "insufficient scope", "tools/call", "reload", "127.0.0.1:5", &ada});
    audit.write({.what = "started"});
  }
  struct stat status{};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  const auto written = lines(file);
  REQUIRE(written.size() == 2);
  CHECK(written[0]["event"] == "refused");
  CHECK(written[0]["status"] == 403);
  CHECK(written[0]["reason"] == "insufficient scope");
  CHECK(written[0]["principal"] == "ada\n\"x\"");
  CHECK(written[0]["peer"] == "127.0.0.1:5");
  CHECK(written[1]["event"] == "started");
  CHECK(!written[1].contains("principal"));
  CHECK(written[1].contains("time"));
}

TEST_CASE("a file that was moved away is made anew, and nothing is lost") {
  const Folder folder;
  const auto file = folder.path / "audit.jsonl", old = folder.path / "audit.1";
  KeptAudit audit(file.string());
  audit.write({.what = "started"});
  REQUIRE(audit.flush(patience));
  std::filesystem::rename(file, old);
  audit.write({.what = "stopped"});
  REQUIRE(audit.flush(patience));
  audit.audit.reopen();
  audit.write({.what = "started"});
  REQUIRE(audit.flush(patience));
  CHECK(lines(old).size() == 2);
  CHECK(lines(file).size() == 1);
  // It is appended to.
  KeptAudit(file.string()).write({.what = "started"});
  CHECK(lines(file).size() == 2);
}

TEST_CASE("the last events are kept, with or without a file") {
  AuditRules rules;
  rules.recent = 2;
  Audit audit({}, rules);
  CHECK(audit.recent().empty());
  for (const char *const subject : {"a", "b", "c"})
    audit.write({.what = "managed", .subject = subject});
  const std::vector<std::string> recent = audit.recent();
  REQUIRE(recent.size() == 2);
  const auto last = readJsonObject(recent.back());
  REQUIRE(last);
  CHECK(last->at("event") == "managed");
  CHECK(last->at("subject") == "c");
  CHECK(last->contains("time"));
}

TEST_CASE("a file that cannot be opened ends the start") {
  CHECK_THROWS_AS(AuditFile("/nonexistent/folder/audit.jsonl"), std::system_error);
}

TEST_CASE("a file that takes nothing keeps nobody waiting, and what did not fit is counted") {
  const Folder folder;
  const auto file = folder.path / "pipe";
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  const int reader = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  // Full from the beginning, of empty lines.
  const int filler = ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(filler >= 0);
  while (::write(filler, std::string(4'096, '\n').data(), 4'096) > 0) continue;
  ::close(filler);
  const Principal ada{"ada", "house", {}, {}, 0};
  constexpr int refusals = 5'000, managed = 8;
  std::string text;
  {
    KeptAudit audit(file.string(), {.waiting = managed});
    for (int i = 0; i < refusals; ++i)
      audit.write({.what = "refused", .status = 403, .principal = &ada});
    // There is room kept for them.
    for (int i = 0; i < managed; ++i) audit.write({.what = "managed", .principal = &ada});
    CHECK_FALSE(audit.flush(std::chrono::milliseconds(1)));
    const auto take = [&] {
      char bytes[65'536];
      ssize_t came = 0;
      while ((came = ::read(reader, bytes, sizeof bytes)) > 0)
        text.append(bytes, static_cast<std::size_t>(came));
    };
    while (!audit.flush(std::chrono::milliseconds(1))) take();
    take();
  }
  ::close(reader);
  std::vector<Json> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) all.push_back(Json::parse(line));
  int lost = 0;
  for (const Json &line : all)
    if (line["event"] == "lost") lost += line["count"].get<int>();
  CHECK(lost > 0);
  CHECK(count(all, "refused") + lost == refusals);
  CHECK(count(all, "managed") == managed);
}

TEST_CASE("a full disk keeps nobody waiting, and does not keep the program from ending") {
  REQUIRE(::access("/dev/full", W_OK) == 0);
  KeptAudit audit("/dev/full", {.waiting = 4});
  const Principal ada{"ada", "house", {}, {}, 0};
  CHECK(audit.audit.state().lost == 0);
  for (int i = 0; i < 100; ++i) audit.write({.what = "refused", .principal = &ada});
  // Of these as many as there is room for, and no caller waits for more.
  for (int i = 0; i < 100; ++i) audit.write({.what = "managed"});
  CHECK_FALSE(audit.flush(std::chrono::milliseconds(1)));
  CHECK(audit.audit.state().failing);
  // Four wait, four more of those kept longer, and the thread holds at most one.
  CHECK(audit.audit.state().lost >= 200 - 9);
  CHECK(audit.audit.state().lost <= 200 - 8);
}

TEST_CASE("a pipe that nobody reads is no audit log") {
  const Folder folder;
  const auto file = folder.path / "pipe";
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK_THROWS_AS(AuditFile(file.string()), std::system_error);
}

TEST_CASE("who guesses is told of one by one ten times, then counted") {
  const Folder folder;
  const auto file = folder.path / "audit.jsonl";
  const Principal ada{"ada", "house", {}, {}, 0};
  {
    KeptAudit audit(file.string());
    for (int port = 0; port < 1'000; ++port)
      audit.write({.what = "refused", .status = 401, .peer = "192.0.2.1:" + std::to_string(port)});
    for (int i = 0; i < 20; ++i)
      audit.write({.what = "refused", .status = 403, .peer = "192.0.2.1:1", .principal = &ada});
    audit.write({.what = "refused", .status = 401, .peer = "192.0.2.2:1"});
  }
  const auto all = lines(file);
  REQUIRE(all.size() == 10 + 20 + 1 + 1);
  CHECK(all.back()["peer"] == "192.0.2.1");
  CHECK(all.back()["count"] == 990);
}

TEST_CASE("the count of guesses is told when their minute is over") {
  const Folder folder;
  const auto file = folder.path / "audit.jsonl";
  KeptAudit audit(file.string(), {}, {.refusals = 1, .span = std::chrono::milliseconds(20)});
  for (int i = 0; i < 3; ++i) audit.write({.what = "refused", .status = 401, .peer = "a:1"});
  const auto until = std::chrono::steady_clock::now() + patience;
  while (std::filesystem::file_size(file) == 0 || count(lines(file), "refused") < 2 ||
         !lines(file).back().contains("count"))
    REQUIRE(std::chrono::steady_clock::now() < until);
  RefusalLimit limit(1, std::chrono::seconds(60));
  RefusalLimit::Moment now{std::chrono::hours(1)};
  for (int i = 0; i < 3'000; ++i) limit.tell("address " + std::to_string(i), now);
  CHECK_FALSE(limit.tell("one more", now)); // the others are taken for one
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
  const auto look = [&](const Principal *who, std::string_view uri, std::string_view from) {
    audit.write({.what = "managed", .subject = uri, .principal = who, .lookedFrom = from});
  };
  for (int i = 0; i < 5; ++i) look(&ada, "skillhost://audit", "192.0.2.1");
  look(&ada, "skillhost://audit", "192.0.2.2"); // a token that somebody has taken along
  look(&ada, "skillhost://stats", "192.0.2.1");
  look(&eve, "skillhost://audit", "192.0.2.1");
  look(nullptr, "skillhost://audit", "stdio");
  CHECK(audit.recent().size() == 5);
  // What is no look has a line each.
  for (int i = 0; i < 3; ++i)
    audit.write({.what = "managed", .subject = "reload_skills_directory", .principal = &ada});
  CHECK(audit.recent().size() == 8);
  audit.write({.what = "stopped"});
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
  rules.looks = 2;
  Audit audit({}, rules);
  for (int times = 0; times < 3; ++times)
    for (const char *const uri : {"a", "b", "c", "d"})
      audit.write({.what = "managed", .subject = uri, .lookedFrom = "192.0.2.1"});
  CHECK(audit.recent().size() == 2 + 3 + 3);
}

TEST_CASE("looks are counted again after each span, and forgotten when there were none") {
  std::vector<std::size_t> told;
  RepeatedLooks looks(10, std::chrono::hours(1),
                      [&](const Look &, std::size_t count) { told.push_back(count); });
  const Look look{"house", "ada", "skillhost://audit", "192.0.2.1"};
  CHECK(looks.isFirst(look));
  CHECK_FALSE(looks.isFirst(look));
  CHECK_FALSE(looks.isFirst(look));
  looks.tellCounts();
  CHECK(told == std::vector<std::size_t>{2});
  CHECK_FALSE(looks.isFirst(look)); // it goes on
  looks.tellCounts();
  CHECK(told == std::vector<std::size_t>{2, 1});
  looks.tellCounts();
  CHECK(told.size() == 2);
  CHECK(looks.isFirst(look));
}

TEST_CASE("a clock tells the counts when nobody looks any more") {
  Awaited<std::size_t> told;
  RepeatedLooks looks(10, std::chrono::milliseconds(200),
                      [&](const Look &, std::size_t count) { told.push(count); });
  const Look look{{}, {}, "skillhost://stats", "stdio"};
  while (looks.isFirst(look)) {} // once, but where a machine stands still for a whole span
  CHECK(told.next() == 1);
}
