// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/descriptor.hpp"
#include "ground/replace_file.hpp"
#include "temporary_folder.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace skillhost;

namespace {

mode_t modeOf(const std::string &path) {
  struct stat facts{};
  REQUIRE(::stat(path.c_str(), &facts) == 0);
  return facts.st_mode & 07777U;
}

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("a file that is replaced keeps its mode") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/kept";
  REQUIRE(replaceFile(path, "one"));
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  REQUIRE(replaceFile(path, "two"));
  CHECK(contentOf(path) == "two");
  CHECK(modeOf(path) == 0640);
}

TEST_CASE("a name without a folder is of the working folder") {
  const TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const Status made = replaceFile("bare", "one");
  const Status again = replaceFile("bare", "two", FileReaders::Everybody, FileLinks::Replace);
  std::filesystem::current_path(before);
  CHECK(made);
  CHECK(again);
  CHECK(contentOf(folder.path() + "/bare") == "two");
}

TEST_CASE("root writes the files of others for them") {
  if (::geteuid() != 0) return; // only root can write files of others
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/theirs", fresh = folder.path() + "/fresh";
  REQUIRE(replaceFile(path, "one"));
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  REQUIRE(::chown(path.c_str(), 12345, 23456) == 0);
  REQUIRE(replaceFile(path, "two"));
  REQUIRE(replaceFile(fresh, "new", FileReaders::Owner, FileLinks::Replace, std::nullopt, path));
  for (const std::string &one : {path, fresh}) {
    struct stat facts{};
    REQUIRE(::stat(one.c_str(), &facts) == 0);
    CHECK(facts.st_uid == 12345);
    CHECK(facts.st_gid == 23456);
  }
  CHECK(modeOf(path) == 0640);
  CHECK(modeOf(fresh) == 0600);
}

TEST_CASE("a link that leads nowhere stays one") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/link", target = folder.path() + "/gone";
  REQUIRE(::symlink(target.c_str(), path.c_str()) == 0);
  const Status refused = replaceFile(path, "x");
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().message.find("is a link to " + target + ", which is not there") !=
        std::string::npos);
  CHECK(::access(target.c_str(), F_OK) != 0);
  REQUIRE(replaceFile(target, "there"));
  REQUIRE(replaceFile(path, "x"));
  CHECK(contentOf(target) == "x");
}

TEST_CASE("a private file is its owner's alone, whatever it was before") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/private";
  REQUIRE(replaceFile(path, "one", FileReaders::Owner));
  CHECK(modeOf(path) == 0600);
  REQUIRE(::chmod(path.c_str(), 0666) == 0);
  REQUIRE(replaceFile(path, "two", FileReaders::Owner));
  CHECK(modeOf(path) == 0600);
}

namespace {

std::string fresh(const std::string &name) {
  std::string path =
      (std::filesystem::temp_directory_path() / ("skillhost-replace-" + name)).string();
  std::filesystem::remove(path);
  return path;
}

} // namespace

TEST_CASE("a new file over the draft of a killed writer has the mode of a new file") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/made", usual = folder.path() + "/usual";
  REQUIRE(replaceFile(usual, "one"));
  const std::string draft = folder.path() + "/.made.new";
  std::ofstream(draft) << "half of a private te";
  REQUIRE(::chmod(draft.c_str(), 0600) == 0);
  REQUIRE(replaceFile(path, "one"));
  CHECK(contentOf(path) == "one");
  CHECK(modeOf(path) == modeOf(usual));
  CHECK_FALSE(std::filesystem::exists(draft));
}

TEST_CASE("a link that is to be replaced leaves its target alone") {
  const std::string victim = fresh("victim"), path = fresh("link");
  REQUIRE(replaceFile(victim, "mine"));
  std::filesystem::create_symlink(victim, path);
  REQUIRE(replaceFile(path, "new", FileReaders::Owner, FileLinks::Replace));
  CHECK(contentOf(victim) == "mine");
  CHECK(contentOf(path) == "new");
  CHECK_FALSE(std::filesystem::is_symlink(path));
  std::filesystem::remove(path);
  std::filesystem::remove(victim);
}

TEST_CASE("a file that holds something else than expected stays as it is") {
  const std::string path = fresh("expected");
  REQUIRE(replaceFile(path, "one", FileReaders::Everybody, FileLinks::Follow, ""));
  const Status late = replaceFile(path, "two", FileReaders::Everybody, FileLinks::Follow, "");
  REQUIRE_FALSE(late);
  CHECK(late.failure().fault == Fault::Conflict);
  CHECK(contentOf(path) == "one");
  CHECK(replaceFile(path, "two", FileReaders::Everybody, FileLinks::Follow, "one"));
  std::filesystem::remove(path);
}

TEST_CASE("a draft that is a pipe, or that cannot be renamed, is told at once") {
  const std::string path = fresh("odd");
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string draft = (folder / ".skillhost-replace-odd.new").string();
  std::filesystem::remove(draft);
  REQUIRE(::mkfifo(draft.c_str(), 0600) == 0);
  CHECK_FALSE(replaceFile(path, "one"));
  std::filesystem::remove(draft);
  std::filesystem::create_directory(path);
  CHECK_FALSE(replaceFile(path, "one"));
  CHECK_FALSE(std::filesystem::exists(draft));
  std::filesystem::remove(path);
}

TEST_CASE("a file is written beside and renamed, in an open folder or by its path") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/kept";
  const Descriptor open(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  REQUIRE(open);
  for (const Flush flush : {Flush::Now, Flush::Later}) {
    REQUIRE(writeFileBeside(AT_FDCWD, path, "one", flush));
    CHECK(contentOf(path) == "one");
    CHECK(modeOf(path) == 0600);
    REQUIRE(::chmod(path.c_str(), 0644) == 0);
    REQUIRE(writeFileBeside(open.number(), "kept", "two", flush));
    CHECK(contentOf(path) == "two");
    CHECK(modeOf(path) == 0600);
  }
  const auto names = std::filesystem::directory_iterator(folder.path());
  CHECK(std::distance(begin(names), end(names)) == 1);
}

TEST_CASE("what was there stays when a file cannot be written beside it") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/kept";
  REQUIRE(::mkdir(path.c_str(), 0700) == 0);
  REQUIRE(::mkdir((path + "/below").c_str(), 0700) == 0);
  const Status written = writeFileBeside(AT_FDCWD, path, "one", Flush::Later);
  REQUIRE_FALSE(written); // a folder is not replaced
  CHECK(written.failure().fault == Fault::OperationFailed);
  CHECK(written.failure().message.starts_with(path + ": cannot be written: "));
  const auto names = std::filesystem::directory_iterator(folder.path());
  CHECK(std::distance(begin(names), end(names)) == 1); // the draft is gone
  CHECK_FALSE(writeFileBeside(AT_FDCWD, folder.path() + "/none/file", "one", Flush::Now));
}

namespace {

// Makes the first `count` drafts that a process with this number would write beside a path.
void leaveDrafts(const std::string &path, int count) {
  const std::string ours = path + std::string(besideMark) + std::to_string(::getpid()) + ".";
  for (int i = 0; i < count; ++i) {
    const std::ofstream draft(ours + std::to_string(i));
    REQUIRE(draft.is_open());
  }
}

} // namespace

TEST_CASE("drafts that a killed process of the same number left do not stop a write") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/kept";
  leaveDrafts(path, 500); // more than this process has written before
  REQUIRE(writeFileBeside(AT_FDCWD, path, "one", Flush::Later));
  CHECK(contentOf(path) == "one");
}

TEST_CASE("a folder that cannot be flushed is told") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/kept";
  const Descriptor next(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  REQUIRE(next);
  struct rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  // Leaves one descriptor, for the file.
  struct rlimit few = before;
  few.rlim_cur = static_cast<rlim_t>(next.number()) + 2;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  const Status later = writeFileBeside(AT_FDCWD, path, "one", Flush::Later);
  const Status now = writeFileBeside(AT_FDCWD, path, "two", Flush::Now);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(later); // control: the file itself can be written
  REQUIRE_FALSE(now);
  CHECK(now.failure().message.starts_with(path + ": cannot be written: "));
  CHECK(contentOf(path) == "two");
}

TEST_CASE("drafts that killed writers left are removed an hour later, and nothing else") {
  const TemporaryFolder folder;
  const std::filesystem::path all = folder.path();
  const auto now = std::filesystem::file_time_type::clock::now();
  const auto make = [&](const std::string &name, std::chrono::minutes age) {
    std::ofstream(all / name) << "half";
    std::filesystem::last_write_time(all / name, now - age);
  };
  using std::chrono::minutes;
  make("kept.new.7.0", minutes(61));
  make("kept.new.7.1", minutes(59)); // may still be in use
  make("kept", minutes(1000));
  removeRemains(all.string());
  CHECK_FALSE(std::filesystem::exists(all / "kept.new.7.0"));
  CHECK(std::filesystem::exists(all / "kept.new.7.1"));
  CHECK(std::filesystem::exists(all / "kept"));
  removeRemains((all / "none").string()); // fails silently
}
