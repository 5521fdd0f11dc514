// SPDX-License-Identifier: Apache-2.0
// These tests check that an index on disk is found again as it was, or rebuilt with a notice that
// says why.
#include "kept.hpp"
#include "keyword/configuration.hpp"
#include "long_tests.hpp"

using namespace skillhost::keyword;
using namespace kept;
using entries::checkSame;
using entries::freshOf;
using entries::heldBy;

namespace {

// Tests every byte of a small file, or of any file if SKILLHOST_LONG_TESTS=1. In larger files it
// only tests every byte near the end.
std::size_t next(std::size_t at, std::size_t size) {
  constexpr std::size_t small = 400;
  const bool all = size < small || at + small / 2 > size || longTests();
  return at + (all ? 1 : 1 + at % 23);
}

// Checks that a damaged folder gives either all entries or none, and that the latter is reported.
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
    entries::put(index, 2, 9); // never committed
    index.remove("id4");
  }
  Told told;
  Index again({}, folder, told.tell());
  CHECK(again.generation() == "2");
  CHECK(heldBy(again) == held);
  checkSame(again, *freshOf(held));
  CHECK(told.lines().empty());
  // The loaded index accepts further changes.
  again.remove("id5");
  entries::put(again, 70, 1);
  again.commit("3");
  held.erase("id5");
  held["id70"] = "1";
  CHECK(heldBy(again) == held);
  checkSame(again, *freshOf(held));
}

TEST_CASE("a kept index is mapped, and a copy of it finds the same") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  const auto mapped = [&folder] {
    std::ifstream maps("/proc/self/maps");
    const std::string all{std::istreambuf_iterator<char>(maps), {}};
    return all.find(folder) != std::string::npos;
  };
  Told told;
  {
    Index writer({}, folder, told.tell());
    for (int number = 0; number < 40; ++number) entries::put(writer, number, 1);
    writer.commit("1");
    writer.waitUntilKept();
    CHECK(mapped()); // by the process that wrote it, too
  }
  CHECK_FALSE(mapped());
  entries::Held held;
  {
    const Index reader({}, folder, told.tell());
    CHECK(mapped());
    held = heldBy(reader);
    CHECK(held.size() == 40);
    checkSame(reader, *freshOf(held));
  }
  Index copier({}, folder, told.tell(), Images::Copied);
  CHECK_FALSE(mapped());
  CHECK(heldBy(copier) == held);
  checkSame(copier, *freshOf(held));
  // Others can map the files that it writes.
  entries::put(copier, 41, 1);
  copier.commit("2");
  copier.waitUntilKept();
  CHECK_FALSE(mapped());
  held["id41"] = "1";
  const Index other({}, folder, told.tell());
  CHECK(mapped());
  CHECK(heldBy(other) == held);
  checkSame(other, *freshOf(held));
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
  for (const std::uint64_t number : {std::uint64_t{1}, std::uint64_t{10}, maxSegmentNumber})
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
  index.remove("a"); // its terms are found although its body is damaged
  index.put({"b", "name", "magnetometer", {}, {}, "1"});
  index.commit("2");
  REQUIRE(index.query("magnetometer", {}, 5).size() == 1);
  Index fresh({});
  fresh.put({"b", "name", "magnetometer", {}, {}, "1"});
  fresh.commit("2");
  CHECK(index.query("magnetometer", {}, 5)[0].score == fresh.query("magnetometer", {}, 5)[0].score);
}

TEST_CASE("what is kept counts once all of it was told, and is forgotten otherwise") {
  struct List {
    skh_held_entries raw;
    std::size_t room = 0;
    std::vector<std::string> ids;
    static skh_status add(const skh_held_entries *raw, skh_str id, skh_str) noexcept {
      auto *const list = reinterpret_cast<List *>(const_cast<skh_held_entries *>(raw));
      if (list->ids.size() == list->room) return SKH_TOO_LARGE;
      list->ids.emplace_back(id.data, id.size);
      return SKH_OK;
    }
    explicit List(std::size_t most) : raw{sizeof raw, 0, &add}, room(most) {}
  };
  Index index({});
  entries::put(index, 1, 1);
  entries::put(index, 2, 1);
  index.commit("1");
  int cleared = 0;
  const auto clear = [&cleared] { ++cleared; };
  KeptEntries told;
  List whole(2);
  told.tell(index, skh::HeldEntries(&whole.raw));
  CHECK(whole.ids.size() == 2);
  told.beforeChange(clear);
  CHECK(cleared == 0);

  KeptEntries cut;
  List part(1);
  CHECK_THROWS(cut.tell(index, skh::HeldEntries(&part.raw)));
  CHECK(part.ids.size() == 1);
  cut.beforeChange(clear);
  cut.beforeChange(clear);
  CHECK(cleared == 1);
  // The index now has only entries that the host has put, so it is not cleared again.
  CHECK_THROWS(cut.tell(index, skh::HeldEntries(&part.raw)));
  cut.beforeChange(clear);
  CHECK(cleared == 1);

  KeptEntries unasked;
  unasked.beforeChange(clear);
  CHECK(cleared == 2);
}

TEST_CASE("segments one of which has a body that cannot be read are not merged") {
  const TemporaryFolder parent;
  const std::string folder = parent.path() + "/index";
  Told told;
  entries::Held held;
  {
    // A process that has mapped the file would end when it is cut.
    Index index({}, folder, told.tell(), Images::Copied);
    index.put({"a", "name", "described so", "the body says magnetometer", {}, "1"});
    index.commit("1");
    index.waitUntilKept();
    // The file stays open but is now too short for any body.
    REQUIRE(::truncate(segmentIn(folder).c_str(), 6) == 0);
    for (int number = 0; number < 8; ++number) {
      entries::put(index, number, 1);
      index.commit(std::to_string(number));
    }
    index.waitUntilKept();
    CHECK(told.hasOne("not merged until the next change: the body of a cannot be read"));
    CHECK(index.snapshot()->segments().size() == 9);
    CHECK(segmentsIn(folder) == 9);
    CHECK(index.query("magnetometer", {}, 1).at(0).id == "a");
    held = heldBy(index);
    CHECK(held.size() == 9);
    // Removing the entry also removes its words, and the others stay as they are.
    index.remove("a");
    index.commit("9");
    held.erase("a");
    checkSame(index, *freshOf(held));
  }
  CHECK(told.lines().size() == 1);
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
  // Weights are not part of the kept index.
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
    checkSame(mixed, *freshOf(heldBy(mixed))); // both files happen to be equal
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
