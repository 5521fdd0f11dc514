// SPDX-License-Identifier: Apache-2.0
// The audit file: who may read it, what a line is, and that it can be moved away.
#include "access/audit.hpp"
#include "base/json.hpp"
#include "catch2.hpp"

#include <nlohmann/json.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
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
  std::filesystem::rename(file, old);
  audit.write({.what = "stopped"});
  audit.reopen();
  audit.write({.what = "started"});
  CHECK(lines(old).size() == 2);
  CHECK(lines(file).size() == 1);
  // It is appended to.
  Audit(file.string()).write({.what = "started"});
  CHECK(lines(file).size() == 2);
}

TEST_CASE("a file that cannot be opened ends the start") {
  CHECK_THROWS_AS(Audit("/nonexistent/folder/audit.jsonl"), std::system_error);
}
