// SPDX-License-Identifier: Apache-2.0
// Tests the audit file: its mode, its lines, and that it can be moved away.
#include "access/audit.hpp"
#include "audit_file.hpp"
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
    audit.write({.kind = "started"});
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
  audit.write({.kind = "started"});
  REQUIRE(audit.flush(patience));
  std::filesystem::rename(file, old);
  audit.write({.kind = "stopped"});
  REQUIRE(audit.flush(patience));
  audit.audit.reopen();
  audit.write({.kind = "started"});
  REQUIRE(audit.flush(patience));
  CHECK(lines(old).size() == 2);
  CHECK(lines(file).size() == 1);
  // A restart appends to the file.
  KeptAudit(file.string()).write({.kind = "started"});
  CHECK(lines(file).size() == 2);
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
  // The pipe is full of empty lines from the beginning.
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
      audit.write({.kind = "refused", .status = 403, .principal = &ada});
    // Room is reserved for these lines.
    for (int i = 0; i < managed; ++i) audit.write({.kind = "managed", .principal = &ada});
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
  for (int i = 0; i < 100; ++i) audit.write({.kind = "refused", .principal = &ada});
  // These fill the reserved room, and no caller waits if there is none.
  for (int i = 0; i < 100; ++i) audit.write({.kind = "managed"});
  CHECK_FALSE(audit.flush(std::chrono::milliseconds(1)));
  CHECK(audit.audit.state().failing);
  // Four lines wait, four more in the reserved room, and the thread holds at most one.
  CHECK(audit.audit.state().lost >= 200 - 9);
  CHECK(audit.audit.state().lost <= 200 - 8);
}

TEST_CASE("a pipe that nobody reads is no audit log") {
  const Folder folder;
  const auto file = folder.path / "pipe";
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK_THROWS_AS(AuditFile(file.string()), std::system_error);
}
