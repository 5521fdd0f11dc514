// SPDX-License-Identifier: Apache-2.0
// What a plugin in a process of its own may not do is refused by the kernel.
#include "catch2.hpp"
#include "process/confinement.hpp"
#include "running.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

using namespace skillhost;
using namespace running;
namespace fs = std::filesystem;

TEST_CASE("paths are found wherever they stand in a configuration") {
  CHECK(process::pathsIn(
            R"({"a": ["/x", {"b": "/y/z"}], "c": "no/path", "d": "file:///z", "/key": 1})") ==
        std::vector<std::string>{"/x", "/y/z", "/z"});
  CHECK(process::pathsIn("not json").empty());
}

TEST_CASE("a confined plugin reads what it may, and nothing else") {
  const fs::path root =
      fs::temp_directory_path() / ("skillhost-confined-" + std::to_string(::getpid()));
  fs::create_directories(root / "cache");
  std::ofstream(root / "allowed") << "x";
  std::ofstream(root / "granted") << "x";
  ::setenv("SKILLHOST_TEST_SECRET", "hush", 1);
  std::map<std::string, std::string> how;
  std::string confinement;
  {
    const std::string granted = (root / "granted").string();
    Running source = start(fixtures + "/probing.so",
                           {{"allowed", (root / "allowed").string()}, {"name", granted.substr(1)}},
                           {granted}, (root / "cache").string());
    const Result<Snapshot> snapshot = list(source);
    INFO((snapshot ? std::string() : snapshot.failure().message));
    REQUIRE(snapshot);
    for (const Document &attempt : snapshot->documents) how[attempt.skill] = attempt.revision;
    confinement = source.proxy->confinement();
  }
  fs::remove_all(root);
  CHECK(how["environment"] == "clean");
  CHECK(contains(confinement, "limits"));
  if (contains(confinement, "no landlock")) {
    WARN("this kernel has no Landlock: what it would refuse was not tested");
  } else {
    const std::string refused = std::to_string(EACCES);
    CHECK(how["open-passwd"] == refused);
    CHECK(how["write-allowed"] == refused);
    CHECK(how["open-allowed"] == "ok");
    CHECK(how["open-granted"] == "ok");
    CHECK(how["write-cache"] == "ok");
  }
  if (contains(confinement, "no seccomp")) {
    WARN("this kernel has no seccomp: what it would refuse was not tested");
  } else {
    const std::string refused = std::to_string(EPERM);
    CHECK(how["socket"] == refused);
    for (const char *way : {"signal-parent", "own-to-parent", "own-to-parent-ex", "own-signal",
                            "own-by-ioctl", "own-by-socket", "outlive-parent"}) {
      INFO(way);
      CHECK(how[way] == refused);
    }
    CHECK(how["still-fcntl"] == "ok");
    CHECK(how["fork"] == refused);
    CHECK(how["exec"] == refused);
  }
}
