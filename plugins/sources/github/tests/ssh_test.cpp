// SPDX-License-Identifier: Apache-2.0
// Tests ssh with a program of our own, which runs the command on this machine.
#include "catch2.hpp"
#include "fixture.hpp"

#include <cstdlib>
#include <fstream>

using namespace skillhost::github::test;

namespace {

// Puts a program `ssh` with this text first in PATH.
class FakeSsh {
public:
  explicit FakeSsh(const std::string &text) : path_(std::getenv("PATH")) {
    std::ofstream(folder_.at("ssh")) << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(folder_.at("ssh"), std::filesystem::perms::owner_all);
    ::setenv("PATH", (folder_.at() + ":" + path_).c_str(), 1);
  }
  ~FakeSsh() { ::setenv("PATH", path_.c_str(), 1); }
  FakeSsh(const FakeSsh &) = delete;
  FakeSsh &operator=(const FakeSsh &) = delete;
  std::string at(const std::string &name) const { return folder_.at(name); }

private:
  Folder folder_;
  std::string path_;
};

} // namespace

TEST_CASE("a repository is fetched through ssh, which asks nothing") {
  const Repository made;
  made.skill("a");
  made.commit();
  const FakeSsh ssh(R"(echo "$@" >"$0.said"; for last; do :; done; exec sh -c "$last")");
  const Folder cache;
  Instance source(R"({"url": "ssh://git@example.org:2222)" + made.path() + R"("})", cache.at("c"));
  const Listing all = source.list();
  INFO(source.failure());
  REQUIRE(all.status == SKH_OK);
  CHECK(all.names() == std::vector<std::string>{"a:SKILL.md"});
  std::ifstream said(ssh.at("ssh.said"));
  std::string line;
  std::getline(said, line);
  CHECK(line.find("BatchMode=yes") != std::string::npos);
  CHECK(line.find("-p 2222 git@example.org git-upload-pack '" + made.path() + "'") !=
        std::string::npos);
}

TEST_CASE("what ssh complains about is the reason") {
  const FakeSsh ssh("echo 'Permission denied (publickey).' >&2; exit 255");
  const Folder cache;
  Instance source(R"({"url": "git@example.org:r.git"})", cache.at("c"));
  CHECK(source.list().status == SKH_UNAVAILABLE);
  CHECK(source.failure().find("Permission denied (publickey).") != std::string::npos);
}

TEST_CASE("an ssh that says nothing is ended at the deadline, with all it started") {
  const FakeSsh ssh(R"(echo $$ >"$0.pid"; exec 3>"$0.held"; tail -f /dev/null & wait)");
  const Folder cache;
  Instance source(R"({"url": "git@example.org:r.git", "deadline_ms": 300})", cache.at("c"));
  CHECK(source.list().status == SKH_UNAVAILABLE);
  CHECK(source.failure().find("deadline_ms") != std::string::npos);
  std::string group;
  std::ifstream(ssh.at("ssh.pid")) >> group;
  CHECK_THROWS(run({"kill", "-0", "--", "-" + group})); // no process of the group is left
}

TEST_CASE("an instance that goes away in mid-fetch waits for nobody") {
  const FakeSsh ssh("tail -f /dev/null");
  const Folder cache;
  const auto begun = std::chrono::steady_clock::now();
  { const Instance source(R"({"url": "git@example.org:r.git"})", cache.at("c")); }
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(10));
}
