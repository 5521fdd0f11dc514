// SPDX-License-Identifier: Apache-2.0
// The audit file: who may read it, what a line is, and that it can be moved away.
#include "access/audit.hpp"
#include "base/refusal_limit.hpp"
#include "catch2.hpp"
#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace skillhost;

namespace {

struct Folder {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("skillhost-audit-" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
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
    Audit audit(file.string());
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
  Audit audit(file.string());
  audit.write({.what = "started"});
  REQUIRE(audit.flush(patience));
  std::filesystem::rename(file, old);
  audit.write({.what = "stopped"});
  REQUIRE(audit.flush(patience));
  audit.reopen();
  audit.write({.what = "started"});
  REQUIRE(audit.flush(patience));
  CHECK(lines(old).size() == 2);
  CHECK(lines(file).size() == 1);
  // It is appended to.
  Audit(file.string()).write({.what = "started"});
  CHECK(lines(file).size() == 2);
}

TEST_CASE("a file that cannot be opened ends the start") {
  CHECK_THROWS_AS(Audit("/nonexistent/folder/audit.jsonl"), std::system_error);
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
    Audit audit(file.string(), {.waiting = managed});
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
  Audit audit("/dev/full", {.waiting = 4});
  const Principal ada{"ada", "house", {}, {}, 0};
  CHECK(audit.state().lost == 0);
  for (int i = 0; i < 100; ++i) audit.write({.what = "refused", .principal = &ada});
  // Of these as many as there is room for, and no caller waits for more.
  for (int i = 0; i < 100; ++i) audit.write({.what = "managed"});
  CHECK_FALSE(audit.flush(std::chrono::milliseconds(1)));
  CHECK(audit.state().failing);
  // Four wait, four more of those kept longer, and the thread holds at most one.
  CHECK(audit.state().lost >= 200 - 9);
  CHECK(audit.state().lost <= 200 - 8);
}

TEST_CASE("a pipe that nobody reads is no audit log") {
  const Folder folder;
  const auto file = folder.path / "pipe";
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK_THROWS_AS(Audit(file.string()), std::system_error);
}

TEST_CASE("who guesses is told of one by one ten times, then counted") {
  const Folder folder;
  const auto file = folder.path / "audit.jsonl";
  const Principal ada{"ada", "house", {}, {}, 0};
  {
    Audit audit(file.string());
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
  Audit audit(file.string(), {.refusals = 1, .span = std::chrono::milliseconds(20)});
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
