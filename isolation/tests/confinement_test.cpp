// SPDX-License-Identifier: Apache-2.0
// The kernel must refuse everything that a confined plugin may not do.
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
  CHECK(process::absolutePathsIn(
            R"({"a": ["/x", {"b": "/y/z"}], "c": "no/path", "d": "file:///z", "/key": 1})") ==
        std::vector<std::string>{"/x", "/y/z", "/z"});
  CHECK(process::absolutePathsIn("not json").empty());
}

TEST_CASE("what the modes of files close to others is found, by its links too") {
  using process::FileAccess;
  const auto closed = [](const fs::path &path, FileAccess access) {
    return process::firstPathClosedToOthers(path.string(), access);
  };
  const fs::path root =
      fs::canonical(fs::temp_directory_path()) / ("skillhost-closed-" + std::to_string(::getpid()));
  if (!closed(root.parent_path(), FileAccess::Search).empty()) {
    WARN("the folder for temporary files is closed to others itself: nothing was tested");
    return;
  }
  const fs::path home = root / "home", cache = home / "cache";
  fs::create_directories(cache);
  std::ofstream(cache / "file") << "x";
  fs::create_directory_symlink(cache, root / "link");
  for (const fs::path &folder : {root, home, cache}) fs::permissions(folder, fs::perms(0755));
  fs::permissions(cache / "file", fs::perms(0644));
  for (const fs::path &path : {cache, cache / "file", root / "link" / "file", home / "absent"}) {
    CHECK(closed(path, FileAccess::Read).empty());
    CHECK(closed(path, FileAccess::Search).empty() == (path.filename() != "file"));
  }
  fs::permissions(home, fs::perms(0711)); // the folder may only be traversed
  CHECK(closed(cache, FileAccess::Read).empty());
  CHECK(closed(home, FileAccess::Search).empty());
  CHECK(closed(home, FileAccess::Read) == home.string());
  fs::permissions(home, fs::perms(0700));
  for (const fs::path &path : {cache, cache / "file", root / "link", root / "link" / "file"})
    CHECK(closed(path, FileAccess::Read) == home.string());
  fs::permissions(home, fs::perms(0755));
  fs::permissions(cache / "file", fs::perms(0640));
  CHECK(closed(cache / "file", FileAccess::Read) == (cache / "file").string());
  fs::remove_all(root);
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
