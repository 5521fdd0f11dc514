// SPDX-License-Identifier: Apache-2.0
// An index follows the one that keeps the folder: it reads those segments, analyses only what they
// lack, and takes over when the writer ends.
#include "kept.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

using namespace skillhost::keyword;
using namespace kept;
using entries::checkSame;
using entries::freshOf;
using entries::heldBy;

namespace {

// Returns how many present entries are in segments that no file has.
std::size_t inMemory(const Index &index) {
  std::size_t count = 0;
  const auto visible = index.snapshot();
  for (const SegmentView &view : visible->segments())
    if (view.segment->file == 0) count += view.segment->size() - view.removed->entries().size();
  return count;
}

void check(const Index &index, const entries::Held &held) {
  CHECK(heldBy(index) == held);
  checkSame(index, *freshOf(held));
}

// A commit without a change makes the index look at what the writer has kept.
void look(Index &index) {
  index.commit(index.generation());
  index.waitUntilKept();
}

// Makes a folder one that this process may read and not write, also if it is root.
class OnlyReader {
public:
  explicit OnlyReader(std::string folder) : folder_(std::move(folder)) {
    if (isRoot_) {
      REQUIRE(::chmod(std::filesystem::path(folder_).parent_path().c_str(), 0755) == 0);
      for (const auto &each : std::filesystem::directory_iterator(folder_))
        REQUIRE(::chown(each.path().c_str(), nobody, nobody) == 0);
    }
    REQUIRE(::chmod(folder_.c_str(), 0555) == 0);
    if (isRoot_) REQUIRE(::seteuid(nobody) == 0);
  }
  OnlyReader(const OnlyReader &) = delete;
  OnlyReader &operator=(const OnlyReader &) = delete;
  ~OnlyReader() {
    if (isRoot_) static_cast<void>(::seteuid(0) == 0);
    ::chmod(folder_.c_str(), 0700);
  }

private:
  static constexpr uid_t nobody = 65534;
  const std::string folder_;
  const bool isRoot_ = ::geteuid() == 0;
};

constexpr const char *follows = "another process writes the index";

} // namespace

TEST_CASE("a second index reads the first one's segments and analyses nothing again") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  Index first({}, folder);
  entries::Held held;
  for (int number = 0; number < 60; ++number) {
    entries::put(first, number, 1);
    held[entries::idOf(number)] = "1";
  }
  first.commit("1");
  first.remove("id7");
  held.erase("id7");
  first.commit("2");
  first.waitUntilKept();
  Told told;
  Index second({}, folder, told.tell());
  CHECK(told.hasOne(follows));
  CHECK(told.lines()[0].starts_with("information: "));
  CHECK(second.generation() == "2");
  check(second, held);
  CHECK(inMemory(second) == 0);

  // The second holds its own changes in memory.
  entries::put(second, 70, 1);
  entries::put(second, 5, 2);
  second.remove("id9");
  second.commit("3");
  second.waitUntilKept();
  entries::Held mine = held;
  mine["id70"] = "1";
  mine["id5"] = "2";
  mine.erase("id9");
  check(second, mine);
  check(first, held);
  CHECK(inMemory(second) == 2);
  const auto segments = segmentsIn(folder);

  // Once the writer has the same, the memory holds nothing.
  entries::put(first, 70, 1);
  entries::put(first, 5, 2);
  first.remove("id9");
  first.commit("3");
  first.waitUntilKept();
  CHECK(segmentsIn(folder) == segments + 1);
  look(second);
  CHECK(inMemory(second) == 0);
  check(second, mine);
  check(first, mine);
  CHECK(told.lines().size() == 1);
  CHECK(told.isKept());
}

TEST_CASE("a follower takes entries that are put again from the segments") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  Index first({}, folder);
  Index second({}, folder); // when nothing is kept yet
  entries::Held held;
  for (int number = 0; number < 40; ++number) {
    entries::put(first, number, 1);
    held[entries::idOf(number)] = "1";
  }
  first.commit("1");
  first.waitUntilKept();
  CHECK(second.snapshot()->size() == 0);
  for (int number = 0; number < 20; ++number) entries::put(second, number, 1);
  second.commit("1");
  for (int number = 20; number < 40; ++number) entries::put(second, number, 1);
  entries::put(second, 39, 1);
  second.commit("2");
  check(second, held);
  CHECK(inMemory(second) == 0);
  second.clear(); // the host is not sure what there is
  for (int number = 39; number >= 0; --number) entries::put(second, number, 1);
  entries::put(second, 3, 2);
  entries::put(second, 3, 1);
  second.commit("3");
  check(second, held);
  CHECK(inMemory(second) == 0);
  second.remove("id3");
  second.commit("4");
  held.erase("id3");
  check(second, held);
}

TEST_CASE("what a follower shows does not change with what the writer keeps") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  Index first({}, folder);
  for (int number = 0; number < 30; ++number) entries::put(first, number, 1);
  first.commit("1");
  first.waitUntilKept();
  Index second({}, folder);
  const entries::Held held = heldBy(second);
  // The writer changes everything, merges, and removes the files that the follower has open.
  for (int round = 2; round < 14; ++round) {
    for (int number = 0; number < 30; ++number) entries::put(first, number, round);
    first.commit(std::to_string(round));
    first.waitUntilKept();
    look(second);
    check(second, held);
  }
  CHECK(second.generation() == "1");
  first.clear();
  entries::put(first, 100, 1);
  first.commit("cleared");
  first.waitUntilKept();
  look(second);
  check(second, held);
}

TEST_CASE("when the writer ends, a follower keeps the index, with everything that it has") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  Told told;
  entries::Held held;
  {
    auto first = std::make_unique<Index>(Options{}, folder);
    for (int number = 0; number < 30; ++number) entries::put(*first, number, 1);
    first->commit("1");
    first->waitUntilKept();
    Index second({}, folder, told.tell());
    for (int number = 0; number < 30; ++number) // the follower's segment is removed by this
      if (number != 4) entries::put(*first, number, 2);
    first->remove("id4");
    first->commit("2");
    first->waitUntilKept();
    CHECK(segmentsIn(folder) == 1);
    entries::put(second, 50, 1);
    second.remove("id20");
    second.commit("of the second");
    second.waitUntilKept();
    for (int number = 0; number < 15; ++number) // these agree with the writer
      if (number != 4) entries::put(second, number, 2);
    second.commit("of the second 2");
    held = heldBy(second);
    CHECK(held.size() == 30);
    CHECK(told.hasOne(follows));
    first.reset();
    CHECK(Index({}, parent.path() + "/other").generation().empty());
    look(second);
    CHECK(told.lines().size() == 2);
    CHECK(told.lines().back().find("this process writes the index now") != std::string::npos);
    CHECK(inMemory(second) == 0);
    check(second, held);
    CHECK(segmentsIn(folder) == second.snapshot()->segments().size());
    entries::put(second, 51, 1); // it is a writer like any other
    second.commit("last");
    held["id51"] = "1";
  }
  Told toldAgain;
  const Index again({}, folder, toldAgain.tell());
  CHECK(toldAgain.lines().empty());
  CHECK(again.generation() == "last");
  check(again, held);
}

TEST_CASE("a follower that takes over amid its changes keeps its last commit") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  const auto changeAll = [](Index &index, int revision) {
    for (int number = 0; number < 12; ++number) entries::put(index, number, revision);
    index.commit(std::to_string(revision));
    index.waitUntilKept();
  };
  constexpr int many = 2048; // these make a segment before any commit
  auto first = std::make_unique<Index>(Options{}, folder);
  changeAll(*first, 1);
  Index second({}, folder);
  look(second);
  const entries::Held held = heldBy(second);
  changeAll(*first, 2);
  for (int number = 0; number < many; ++number)
    second.put({"a" + std::to_string(number), "name", "text", {}, {}, "1"});
  changeAll(*first, 3);
  first.reset();
  for (int number = 0; number < many; ++number)
    second.put({"b" + std::to_string(number), "name", "text", {}, {}, "1"});
  second.waitUntilKept();
  const std::string copy = parent.path() + "/copy";
  std::filesystem::copy(folder, copy);
  {
    Told told;
    const Index kept({}, copy, told.tell());
    CHECK(told.lines().empty());
    check(kept, held);
  }
  second.commit("all");
  CHECK(second.snapshot()->size() == held.size() + 2 * many);
}

TEST_CASE("a follower without a change takes the place of the writer, too") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  fill(folder);
  auto first = std::make_unique<Index>(Options{}, folder);
  Told told;
  Index second({}, folder, told.tell());
  look(second); // starts the thread that looks now and then
  first.reset();
  entries::put(second, 30, 1);
  second.commit("3");
  second.waitUntilKept();
  CHECK(told.lines().back().find("this process writes the index now") != std::string::npos);
  Index third({}, folder);
  CHECK(third.generation() == "3");
  check(third, heldBy(second));
}

TEST_CASE("a damaged segment is not used by a follower, which says so once") {
  const Original original;
  const std::string folder = original.copy();
  auto first = std::make_unique<Index>(Options{}, folder); // has read it before
  const std::string path = segmentIn(folder);
  std::string content = contentOf(path);
  content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
  write(path, content);
  const std::string name = std::filesystem::path(path).filename().string();
  Told told;
  {
    Index second({}, folder, told.tell());
    CHECK(second.generation().empty());
    CHECK(second.snapshot()->size() == 0);
    CHECK(contentOf(path) == content); // a follower removes nothing
    for (int round = 0; round < 3; ++round) {
      entries::put(second, round, 1);
      second.commit(std::to_string(round));
      second.waitUntilKept();
      entries::put(*first, 30 + round, 1);
      first->commit("of the first " + std::to_string(round));
      first->waitUntilKept();
    }
    check(second, {{"id0", "1"}, {"id1", "1"}, {"id2", "1"}});
    std::vector<std::string> lines = told.lines();
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].find(follows) != std::string::npos);
    CHECK(lines[1].find("warning: " + folder + ": the index is damaged: ") == 0);
    CHECK(lines[1].find("; it is not used") != std::string::npos);
    // The writer's end makes the follower the one who makes it anew.
    first.reset();
    look(second);
    CHECK(told.lines().back().find("; it is made anew") == std::string::npos);
  }
  Told toldAgain;
  const Index again({}, folder, toldAgain.tell());
  CHECK(toldAgain.lines().empty());
  check(again, {{"id0", "1"}, {"id1", "1"}, {"id2", "1"}});
}

TEST_CASE("an index of another version or with other options is not followed") {
  for (const bool isOther : {true, false}) {
    INFO(isOther);
    const Original original;
    const std::string folder = original.copy();
    Options options;
    if (isOther) options.bodyBytes = 100;
    auto first = std::make_unique<Index>(options, folder);
    entries::put(*first, 40, 1);
    first->commit("1");
    first->waitUntilKept();
    if (!isOther) {
      std::string content = contentOf(folder + "/manifest");
      content[6] = '9'; // of a layout that this version does not know
      write(folder + "/manifest", content);
    }
    const std::string manifest = contentOf(folder + "/manifest");
    Told told;
    Index second({}, folder, told.tell());
    REQUIRE(told.lines().size() == 2);
    CHECK(told.lines()[1].find(isOther
                                   ? "with other options or by another version; it is not used"
                                   : "none of this version; it is not used") != std::string::npos);
    CHECK(second.snapshot()->size() == 0);
    entries::put(second, 1, 1);
    second.commit("2");
    second.waitUntilKept();
    CHECK(told.lines().size() == 2);
    CHECK(contentOf(folder + "/manifest") == manifest);
    first.reset();
    look(second);
    check(second, {{"id1", "1"}});
    const Index third({}, folder);
    check(third, {{"id1", "1"}});
  }
}

TEST_CASE("a folder that may only be read is followed without its lock") {
  const Original original;
  const std::string folder = original.copy();
  std::filesystem::remove(folder + "/lock");
  const std::string before = contentOf(folder + "/manifest");
  {
    const OnlyReader reader(folder);
    Told told;
    Index index({}, folder, told.tell());
    CHECK(told.hasOne("information: " + folder + ": its lock cannot be opened (" +
                      std::generic_category().message(EACCES) + "); the index is read"));
    CHECK(told.isKept());
    CHECK(index.generation() == "2");
    entries::Held held = heldBy(index);
    CHECK(held.size() == 11);
    entries::put(index, 30, 1);
    index.commit("3");
    index.waitUntilKept();
    held["id30"] = "1";
    check(index, held);
  }
  CHECK(contentOf(folder + "/manifest") == before);
  std::filesystem::remove(folder + "/manifest");
  const OnlyReader reader(folder);
  Told told;
  const Index nothing({}, folder, told.tell());
  CHECK(told.hasOne("warning: " + folder + ": its lock cannot be opened"));
  CHECK(!told.isKept());
}

TEST_CASE("one of several followers takes over, and the others follow it") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  auto first = std::make_unique<Index>(Options{}, folder);
  Index second({}, folder);
  Index third({}, folder);
  std::mt19937 random(7);
  entries::Held held;
  std::vector<Index *> all{first.get(), &second, &third};
  for (int round = 0; round < 60; ++round) {
    if (round == 30) {
      all.erase(all.begin());
      first.reset();
    }
    for (int change = 0; change < 5; ++change) {
      const int number = static_cast<int>(random() % 60);
      const int revision = static_cast<int>(random() % 30);
      const bool isRemoved = random() % 4 == 0;
      for (Index *index : all)
        isRemoved ? index->remove(entries::idOf(number)) : entries::put(*index, number, revision);
      if (isRemoved)
        held.erase(entries::idOf(number));
      else
        held[entries::idOf(number)] = std::to_string(revision);
    }
    for (Index *index : all) index->commit(std::to_string(round));
    if (round % 4 == 0)
      for (Index *index : all) index->waitUntilKept();
    for (const Index *index : all) REQUIRE(heldBy(*index) == held);
    if (round % 10 == 9)
      for (const Index *index : all) checkSame(*index, *freshOf(held));
  }
  for (Index *index : all) look(*index);
  look(third); // after the second, which may be the writer
  CHECK(inMemory(second) + inMemory(third) == 0);
}
