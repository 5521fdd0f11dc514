// SPDX-License-Identifier: Apache-2.0
// Tests which snapshots of a source are kept, and for how long.
#include "catch2.hpp"
#include "snapshots/history.hpp"

#include <atomic>
#include <string>
#include <thread>

namespace {

struct Snapshot {
  std::string id;
};
using History = skillhost::snapshots::History<Snapshot>;

History::Pointer made(const std::string &id) {
  return std::make_shared<const Snapshot>(Snapshot{id});
}

std::string idsOf(const std::vector<History::Pointer> &snapshots) {
  std::string ids;
  for (const History::Pointer &one : snapshots) ids += one->id + ' ';
  return ids;
}

} // namespace

TEST_CASE("before the first snapshot there is nothing, and no news") {
  const History history;
  CHECK(history.newest() == nullptr);
  CHECK_FALSE(history.hasNewer());
  CHECK(history.find("") == nullptr);
  CHECK(history.all().empty());
}

TEST_CASE("news is what the host was not given, once it was given something") {
  History history;
  history.add(made("a"));
  CHECK_FALSE(history.hasNewer());
  CHECK(history.find("a") == nullptr); // the host cannot name it yet
  CHECK(history.handOut()->id == "a");
  CHECK_FALSE(history.hasNewer());
  history.add(made("b"));
  CHECK(history.hasNewer());
  CHECK(history.newest()->id == "b");
  history.add(made("a"));
  CHECK_FALSE(history.hasNewer()); // the content is the same
}

TEST_CASE("one that was not handed out is forgotten with the next") {
  History history;
  history.add(made("a"));
  history.handOut();
  history.add(made("b"));
  const std::weak_ptr<const Snapshot> passing = history.newest();
  CHECK(idsOf(history.all()) == "a b ");
  history.add(made("c"));
  CHECK(passing.expired());
  CHECK(history.find("b") == nullptr);
  CHECK(idsOf(history.all()) == "a c ");
}

TEST_CASE("the last few that were handed out are found, each once") {
  History history;
  for (const char *const id : {"a", "b", "c", "a", "d", "e"}) {
    history.add(made(id));
    history.handOut();
  }
  CHECK(idsOf(history.all()) == "c a d e e ");
  CHECK(history.find("b") == nullptr);
  REQUIRE(history.find("c") != nullptr);
  CHECK(history.find("c")->id == "c");
  history.handOut(); // the same again, so no other is dropped
  CHECK(idsOf(history.all()) == "c a d e e ");
}

TEST_CASE("threads add, hand out and look at once") {
  History history;
  history.add(made("0"));
  std::atomic<bool> ends = false;
  std::atomic<int> lost = 0;
  std::thread reader([&] {
    while (!ends) {
      const History::Pointer given = history.handOut();
      if (history.find(given->id) == nullptr) ++lost;
    }
  });
  for (int i = 1; i < 2'000; ++i) history.add(made(std::to_string(i)));
  ends = true;
  reader.join();
  CHECK(lost == 0);
  CHECK(history.all().size() <= History::kept + 1);
}
