// SPDX-License-Identifier: Apache-2.0
// An index on disk: found again as it was, or made anew with a word of why.
#include "entries.hpp"
#include "temporary_folder.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <system_error>

using namespace skillhost::keyword;
using entries::checkSame;
using entries::freshOf;
using entries::heldBy;

namespace {

class Told {
public:
  Tell tell() {
    return [this](Notice notice, const std::string &text) {
      const std::scoped_lock lock(mutex_);
      lines_.push_back((notice == Notice::Warning ? "warning: " : "information: ") + text);
    };
  }
  std::vector<std::string> lines() const {
    const std::scoped_lock lock(mutex_);
    return lines_;
  }
  bool hasOne(const std::string &part) const {
    const std::vector<std::string> lines = this->lines();
    return lines.size() == 1 && lines[0].find(part) != std::string::npos;
  }

private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

std::string contentOf(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

void write(const std::filesystem::path &path, std::string_view content) {
  std::filesystem::remove(path); // a file that is cut off and written is flushed when it is closed
  std::ofstream(path, std::ios::binary) << content;
}

std::filesystem::path segmentIn(const std::string &folder) {
  for (const auto &each : std::filesystem::directory_iterator(folder))
    if (each.path().extension() == ".segment") return each.path();
  FAIL("no segment is kept");
  return {};
}

std::size_t segmentsIn(const std::string &folder) {
  std::size_t count = 0;
  for (const auto &each : std::filesystem::directory_iterator(folder))
    count += each.path().extension() == ".segment" ? 1U : 0U;
  return count;
}

// Two segments, and something gone of the first.
void fill(const std::string &folder) {
  Index index({}, folder);
  for (int number = 0; number < 12; ++number) entries::put(index, number, 1);
  index.commit("1");
  index.remove("id3");
  entries::put(index, 4, 2);
  index.commit("2");
}

// A whole one, to be damaged again and again.
class Original {
public:
  Original() { fill(path()); }
  std::string path() const { return parent_.path() + "/whole"; }
  std::string copy() const { // in the place of the last one
    const std::string folder = parent_.path() + "/index";
    std::filesystem::remove_all(folder);
    std::filesystem::copy(path(), folder);
    return folder;
  }

private:
  TemporaryFolder parent_;
};

// Every byte of a small file, or with SKILLHOST_LONG_TESTS=1; of others all near the end.
std::size_t next(std::size_t at, std::size_t size) {
  constexpr std::size_t small = 400;
  const bool all =
      size < small || at + small / 2 > size || std::getenv("SKILLHOST_LONG_TESTS") != nullptr;
  return at + (all ? 1 : 1 + at % 23);
}

// Whatever became of the folder: nothing is visible, which is told, or all of it.
void checkServes(const std::string &folder, bool mayBeWhole) {
  Told told;
  const Index index({}, folder, told.tell());
  if (index.generation().empty()) {
    CHECK(index.snapshot()->size() == 0);
    CHECK(told.lines().size() == 1);
    return;
  }
  CHECK(mayBeWhole);
  CHECK(index.snapshot()->size() == 11);
  CHECK(index.query("releasenotes", {}, 50).size() == 11);
}

} // namespace

TEST_CASE("what was committed is there after a start, and nothing else") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  entries::Held held;
  {
    Index index({}, folder);
    CHECK(index.generation().empty());
    for (int number = 0; number < 60; ++number) entries::put(index, number, 1);
    index.commit("1");
    for (int number = 0; number < 60; number += 7) index.remove(entries::idOf(number));
    for (int number = 1; number < 60; number += 5) entries::put(index, number, 2);
    index.commit("2");
    held = heldBy(index);
    entries::put(index, 2, 9); // in no commit
    index.remove("id4");
  }
  Told told;
  Index again({}, folder, told.tell());
  CHECK(again.generation() == "2");
  CHECK(heldBy(again) == held);
  checkSame(again, *freshOf(held));
  CHECK(told.lines().empty());
  // It goes on from there.
  again.remove("id5");
  entries::put(again, 70, 1);
  again.commit("3");
  held.erase("id5");
  held["id70"] = "1";
  CHECK(heldBy(again) == held);
  checkSame(again, *freshOf(held));
}

TEST_CASE("segments that are merged or cleared leave no file") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  {
    Index index({}, folder);
    for (int round = 0; round < 30; ++round) {
      entries::put(index, round, round);
      index.commit(std::to_string(round));
    }
    index.waitUntilKept();
    CHECK(segmentsIn(folder) == index.snapshot()->segments().size());
    index.clear();
    entries::put(index, 1, 1);
    index.commit("cleared");
    index.waitUntilKept();
    CHECK(segmentsIn(folder) == 1);
  }
  write(folder + "/777.segment", "left by a process that was killed");
  const Index again({}, folder);
  CHECK(again.snapshot()->size() == 1);
  CHECK(segmentsIn(folder) == 1);
}

TEST_CASE("a number that is taken is left to who took it, and the index goes on") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  Told told;
  Index index({}, folder, told.tell());
  for (int number = 1; number <= 3; ++number)
    write(folder + "/" + std::to_string(number) + ".segment", "of another");
  entries::put(index, 1, 1);
  index.commit("1");
  index.waitUntilKept();
  CHECK(told.lines().empty());
  for (int number = 1; number <= 3; ++number)
    CHECK(contentOf(folder + "/" + std::to_string(number) + ".segment") == "of another");
  CHECK(segmentsIn(folder) == 4);
}

TEST_CASE("a file with a number that no segment has takes nothing from the index") {
  for (const char *number : {"18446744073709551614", "18446744073709551615", "9007199254740992",
                             "9007199254740993", "0"}) {
    INFO(number);
    const TemporaryFolder parent;
    const std::string folder = parent.path() + "/index";
    fill(folder);
    write(folder + "/" + number + ".segment", "of another");
    Told told;
    entries::Held held;
    {
      Index index({}, folder, told.tell());
      REQUIRE(index.generation() == "2");
      for (int round = 0; round < 4; ++round) {
        entries::put(index, 20 + round, 1);
        index.commit(std::to_string(3 + round));
        index.waitUntilKept();
      }
      held = heldBy(index);
    }
    const Index again({}, folder, told.tell());
    CHECK(told.lines().empty());
    CHECK(again.generation() == "6");
    CHECK(heldBy(again) == held);
  }
}

TEST_CASE("a name is that of a segment when it is written as one") {
  for (const std::uint64_t number : {std::uint64_t{1}, std::uint64_t{10}, mostSegmentNumber})
    CHECK(numberOfSegment(segmentName(number)) == number);
  for (const char *name : {"",
                           ".segment",
                           "0.segment",
                           "00.segment",
                           "007.segment",
                           "+7.segment",
                           "-7.segment",
                           " 7.segment",
                           "7 .segment",
                           "7.segment ",
                           "7.segments",
                           "7.segment.new.1",
                           "7",
                           "0x7.segment",
                           "7.0.segment",
                           "7.Segment",
                           "9007199254740993.segment",
                           "18446744073709551615.segment",
                           "18446744073709551617.segment",
                           "manifest",
                           "lock"}) {
    INFO(name);
    CHECK(numberOfSegment(name) == 0);
  }
  CHECK(numberOfSegment(std::string_view("7.segment\0", 10)) == 0);
}

TEST_CASE("a file that ends at any byte is found out") {
  const Original original;
  for (const std::string &path :
       {original.path() + "/manifest", segmentIn(original.path()).string()}) {
    const std::string content = contentOf(path);
    for (std::size_t size = 0; size < content.size(); size = next(size, content.size())) {
      INFO(path << " of " << size);
      const std::string folder = original.copy();
      write(folder / std::filesystem::path(path).filename(), content.substr(0, size));
      checkServes(folder, false);
    }
  }
}

TEST_CASE("a byte that is another is found out, or is in a body that is shown no more") {
  const Original original;
  for (const std::string &path :
       {original.path() + "/manifest", segmentIn(original.path()).string()}) {
    const std::string content = contentOf(path);
    for (std::size_t at = 0; at < content.size(); at = next(at, content.size())) {
      INFO(path << " byte " << at);
      const std::string folder = original.copy();
      std::string damaged = content;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
      write(folder / std::filesystem::path(path).filename(), damaged);
      checkServes(folder, true);
    }
  }
}

TEST_CASE("after damage the index is made anew") {
  const Original original;
  const std::string folder = original.copy();
  write(folder + "/manifest", "skhkwm1");
  {
    Index index({}, folder);
    entries::put(index, 50, 1);
    index.commit("3");
  }
  const Index again({}, folder);
  CHECK(again.generation() == "3");
  CHECK(heldBy(again) == entries::Held{{"id50", "1"}});
}

TEST_CASE("a body that cannot be read any more costs a snippet, no search") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  Index index({}, folder);
  index.put({"a", "name", "described so", "the body says magnetometer", {}, "1"});
  index.commit("1");
  REQUIRE(index.query("magnetometer", {}, 1).at(0).snippet == "the body says magnetometer");
  index.waitUntilKept();
  const std::string path = segmentIn(folder);
  const std::string content = contentOf(path);
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out)
      .seekp(6)
      .put(static_cast<char>(content[6] ^ 1));
  REQUIRE(index.query("magnetometer", {}, 1).size() == 1);
  CHECK(index.query("magnetometer", {}, 1)[0].snippet == "described so");
  index.remove("a"); // its words are found without it
  index.put({"b", "name", "magnetometer", {}, {}, "1"});
  index.commit("2");
  REQUIRE(index.query("magnetometer", {}, 5).size() == 1);
  Index fresh({});
  fresh.put({"b", "name", "magnetometer", {}, {}, "1"});
  fresh.commit("2");
  CHECK(index.query("magnetometer", {}, 5)[0].score == fresh.query("magnetometer", {}, 5)[0].score);
}

TEST_CASE("other options, or another folder's files, are no index of ours") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  fill(folder);
  Options options;
  options.bodyBytes = 100;
  Told told;
  {
    const Index other(options, folder, told.tell());
    CHECK(other.generation().empty());
    CHECK(told.hasOne("information: "));
    CHECK(told.hasOne("other options"));
  }
  CHECK(segmentsIn(folder) == 0);
  // Weights are no part of what is kept.
  fill(folder);
  options = {};
  options.nameWeight = 7;
  CHECK(Index(options, folder).generation() == "2");
  const std::string foreign = parent.path() + "/foreign";
  fill(foreign);
  {
    Index index({}, foreign);
    entries::put(index, 1, 77);
    index.commit("9");
  }
  std::filesystem::copy_file(segmentIn(foreign), segmentIn(folder),
                             std::filesystem::copy_options::overwrite_existing);
  Told damaged;
  const Index mixed({}, folder, damaged.tell());
  if (!mixed.generation().empty())
    checkSame(mixed, *freshOf(heldBy(mixed))); // the same file by chance
  else
    CHECK(damaged.hasOne("damaged"));
}

TEST_CASE("an index without a generation is not kept") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  {
    Index index({}, folder);
    entries::put(index, 1, 1);
    index.commit("");
  }
  const Index again({}, folder);
  CHECK(again.snapshot()->size() == 0);
  CHECK(segmentsIn(folder) == 0);
}

TEST_CASE("a folder that another index uses is left alone") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  Index first({}, folder);
  entries::put(first, 1, 1);
  first.commit("1");
  first.waitUntilKept();
  Told told;
  Index second({}, folder, told.tell());
  CHECK(told.hasOne("warning: " + folder + ": another process uses it (" +
                    std::generic_category().message(EWOULDBLOCK) + ")"));
  CHECK(second.snapshot()->size() == 0);
  entries::put(second, 2, 1);
  second.commit("2");
  second.waitUntilKept();
  CHECK(heldBy(second) == entries::Held{{"id2", "1"}});
  CHECK(heldBy(first) == entries::Held{{"id1", "1"}});
  CHECK(segmentsIn(folder) == 1);
}

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
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN); // as the host does
  Told told;
  entries::Held held;
  {
    Index index({}, folder, told.tell());
    for (int number = 0; number < 20; ++number) entries::put(index, number, 1);
    index.commit("1");
    index.waitUntilKept();
    const rlimit small{1000, before.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    for (int round = 0; round < 10; ++round) {
      for (int number = 20; number < 60; ++number) entries::put(index, number, round);
      index.commit(std::to_string(2 + round));
    }
    index.waitUntilKept();
    held = heldBy(index);
    CHECK(held.size() == 60);
    checkSame(index, *freshOf(held));
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  }
  std::signal(SIGXFSZ, handler);
  CHECK(told.hasOne("goes on in memory"));
  // The next start has what could be kept.
  const Index again({}, folder);
  CHECK(again.generation() == "1");
  CHECK(again.snapshot()->size() == 20);
}
