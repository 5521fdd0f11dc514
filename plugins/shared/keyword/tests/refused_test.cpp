// SPDX-License-Identifier: Apache-2.0
// If the folder cannot be used or the disk refuses, the index reports it and continues in memory.
#include "kept.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <system_error>

using namespace skillhost::keyword;
using namespace kept;
using entries::checkSame;
using entries::freshOf;
using entries::heldBy;

namespace {

// Limits the size of files that this process writes, in place of a full disk.
class FileLimit {
public:
  explicit FileLimit(rlim_t bytes) {
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    const rlimit small{bytes, before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  }
  FileLimit(const FileLimit &) = delete;
  FileLimit &operator=(const FileLimit &) = delete;
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

private:
  rlimit before_{};
  void (*const handler_)(int) = std::signal(SIGXFSZ, SIG_IGN); // as the host does
};

} // namespace

TEST_CASE("a folder that was removed and made anew is its new owner's") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  Told told;
  Index first({}, folder, told.tell());
  entries::put(first, 1, 1);
  first.commit("1");
  first.waitUntilKept();
  std::filesystem::remove_all(folder);
  entries::Held held;
  {
    Told toldSecond;
    Index second({}, folder, toldSecond.tell());
    for (int round = 0; round < 3; ++round) {
      entries::put(second, 10 + round, 1);
      second.commit("second " + std::to_string(round));
      second.waitUntilKept();
    }
    const std::size_t segments = segmentsIn(folder);
    for (int round = 0; round < 12; ++round) { // enough to merge, and to remove what was merged
      entries::put(first, 2 + round, 1);
      first.commit(std::to_string(2 + round));
      first.waitUntilKept();
    }
    CHECK(told.hasOne("goes on in memory"));
    CHECK(first.snapshot()->size() == 13);
    CHECK(segmentsIn(folder) == segments);
    CHECK(toldSecond.lines().empty());
    held = heldBy(second);
  }
  Told toldAgain;
  const Index again({}, folder, toldAgain.tell());
  CHECK(toldAgain.lines().empty());
  CHECK(again.generation() == "second 2");
  CHECK(heldBy(again) == held);
}

TEST_CASE("a folder that is a symbolic link is not followed") {
  const TemporaryFolder parent;
  const std::string elsewhere = parent.path() + "/elsewhere";
  const std::string folder = parent.path() + "/index";
  std::filesystem::create_directory(elsewhere);
  write(elsewhere + "/1.segment", "of another");
  std::filesystem::create_directory_symlink(elsewhere, folder);
  Told told;
  Index index({}, folder, told.tell());
  CHECK(told.hasOne("warning: " + folder + ": cannot be opened as a folder ("));
  entries::put(index, 1, 1);
  index.commit("1");
  index.waitUntilKept();
  CHECK(heldBy(index) == entries::Held{{"id1", "1"}});
  CHECK(contentOf(elsewhere + "/1.segment") == "of another");
  CHECK(std::distance(std::filesystem::directory_iterator(elsewhere), {}) == 1);
}

TEST_CASE("a folder that a symbolic link takes the place of is written by no path") {
  const TemporaryFolder parent;
  const std::string elsewhere = parent.path() + "/elsewhere";
  const std::string folder = parent.path() + "/index";
  const std::string moved = parent.path() + "/moved";
  Told told;
  {
    Index index({}, folder, told.tell());
    entries::put(index, 1, 1);
    index.commit("1");
    index.waitUntilKept();
    std::filesystem::rename(folder, moved);
    std::filesystem::create_directory(elsewhere);
    write(elsewhere + "/1.segment", "of another");
    write(elsewhere + "/manifest", "of another");
    std::filesystem::create_directory_symlink(elsewhere, folder);
    for (int round = 0; round < 12; ++round) {
      entries::put(index, 1, 2 + round);
      index.commit(std::to_string(2 + round));
      index.waitUntilKept();
    }
  }
  CHECK(told.lines().empty());
  CHECK(contentOf(elsewhere + "/1.segment") == "of another");
  CHECK(contentOf(elsewhere + "/manifest") == "of another");
  CHECK(std::distance(std::filesystem::directory_iterator(elsewhere), {}) == 2);
  const Index again({}, moved, told.tell());
  CHECK(again.generation() == "13");
}

TEST_CASE("no file that is a symbolic link is followed") {
  const Original original;
  const std::string name = segmentIn(original.path()).filename().string();
  for (const std::string &file : {std::string("manifest"), name}) {
    INFO(file);
    const std::string folder = original.copy();
    std::filesystem::remove(folder + "/" + file);
    std::filesystem::create_symlink(original.path() + "/" + file, folder + "/" + file);
    const std::string before = contentOf(original.path() + "/" + file);
    {
      Told told;
      Index index({}, folder, told.tell());
      CHECK(told.hasOne("warning: " + folder + ": the index is damaged"));
      CHECK(index.snapshot()->size() == 0);
      entries::put(index, 50, 1);
      index.commit("3");
    }
    CHECK(contentOf(original.path() + "/" + file) == before);
    const Index again({}, folder);
    CHECK(heldBy(again) == entries::Held{{"id50", "1"}});
  }
}

TEST_CASE("a lock that cannot be taken says why") {
  const Original original;
  for (const bool isLink : {true, false}) {
    const std::string folder = original.copy();
    const std::string target = folder + "/made by who follows the link";
    std::filesystem::remove(folder + "/lock");
    if (isLink)
      std::filesystem::create_symlink(target, folder + "/lock");
    else
      std::filesystem::create_directory(folder + "/lock");
    Told told;
    const Index index({}, folder, told.tell());
    CHECK(told.hasOne("warning: " + folder + ": its lock cannot be opened (" +
                      std::generic_category().message(isLink ? ELOOP : EISDIR) + ")"));
    CHECK(index.snapshot()->size() == 0);
    CHECK(!std::filesystem::exists(target));
  }
}

TEST_CASE("a folder that cannot be made is a warning") {
  const TemporaryFolder parent;
  write(parent.path() + "/file", "");
  Told told;
  Index index({}, parent.path() + "/file/index", told.tell());
  CHECK(told.hasOne("cannot be made"));
  entries::put(index, 1, 1);
  index.commit("1");
  CHECK(index.snapshot()->size() == 1);
}

TEST_CASE("a disk that is full is a warning, and the index goes on in memory") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  Told told;
  entries::Held held;
  {
    Index index({}, folder, told.tell());
    for (int number = 0; number < 20; ++number) entries::put(index, number, 1);
    index.commit("1");
    index.waitUntilKept();
    const FileLimit full(1000);
    for (int round = 0; round < 10; ++round) {
      for (int number = 20; number < 60; ++number) entries::put(index, number, round);
      index.commit(std::to_string(2 + round));
    }
    index.waitUntilKept();
    held = heldBy(index);
    CHECK(held.size() == 60);
    checkSame(index, *freshOf(held));
  }
  CHECK(told.hasOne("goes on in memory"));
  CHECK(!told.isKept());
  // The next start finds everything that could be kept.
  const Index again({}, folder);
  CHECK(again.generation() == "1");
  CHECK(again.snapshot()->size() == 20);
}

TEST_CASE("once a disk that was full has space, all is kept") {
  for (const rlim_t bytes : {rlim_t{0}, rlim_t{1000}}) {
    INFO(bytes);
    const TemporaryFolder parent;
    const std::string folder = parent.path() + "/index";
    Told told;
    entries::Held held;
    {
      Index index({}, folder, told.tell());
      for (int number = 0; number < 20; ++number) entries::put(index, number, 1);
      index.commit("1");
      index.waitUntilKept();
      {
        const FileLimit full(bytes);
        for (int round = 0; round < 10; ++round) { // enough to merge
          for (int number = 15; number < 30; ++number) entries::put(index, number, 2 + round);
          index.commit(std::to_string(2 + round));
          if (round % 3 == 0) index.waitUntilKept();
        }
        index.waitUntilKept();
      }
      CHECK(!told.isKept());
      REQUIRE(told.lines().size() == 1);
      CHECK(told.lines()[0].find("(" + std::generic_category().message(EFBIG) + ")") !=
            std::string::npos);
      index.remove("id3");
      index.commit("last");
      index.waitUntilKept();
      CHECK(told.isKept());
      CHECK(told.lines().size() == 2);
      CHECK(told.lines().back() == "information: " + folder + ": the index is kept again");
      CHECK(segmentsIn(folder) == index.snapshot()->segments().size());
      held = heldBy(index);
      CHECK(held.size() == 29);
      checkSame(index, *freshOf(held));
    }
    Told toldAgain;
    const Index again({}, folder, toldAgain.tell());
    CHECK(toldAgain.lines().empty());
    CHECK(again.generation() == "last");
    CHECK(heldBy(again) == held);
    checkSame(again, *freshOf(held));
  }
}

TEST_CASE("a manifest that cannot be written is one warning until it can") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  Told told;
  {
    Index index({}, folder, told.tell());
    std::filesystem::create_directories(folder + "/manifest/in the way");
    for (int round = 0; round < 3; ++round) {
      entries::put(index, round, 1);
      index.commit(std::to_string(round));
      index.waitUntilKept();
    }
    CHECK(!told.isKept());
    CHECK(told.hasOne("warning: " + folder + "/manifest: cannot be written"));
    std::filesystem::remove_all(folder + "/manifest");
    entries::put(index, 3, 1);
    index.commit("3");
    index.waitUntilKept();
    CHECK(told.isKept());
    CHECK(told.lines().size() == 2);
  }
  const Index again({}, folder, told.tell());
  CHECK(again.generation() == "3");
  CHECK(again.snapshot()->size() == 4);
}
