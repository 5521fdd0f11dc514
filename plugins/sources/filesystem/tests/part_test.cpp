// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "filesystem/scan.hpp"
#include "fixture.hpp"

#include <random>

using namespace skillhost::filesystem;
using namespace skillhost::filesystem::test;

namespace {

// Scans a tree as the source does.
class Scans {
public:
  explicit Scans(const Tree &tree, const std::string &more = "", const std::string &second = "")
      : settings_(R"({"directories":[")" + tree.at() + (second.empty() ? "" : R"(",")" + second) +
                  "\"]" + more + "}"),
        warnings_(skh::Host(host())), watches_(WatchMode::off, warnings_) {}

  SnapshotPointer all() {
    last_ = scan(settings_, last_.get(), watches_, warnings_, [] {});
    return last_;
  }
  // Scans only the folders in which `skill` was found.
  SnapshotPointer part(const std::string &skill) { return part(placesOf(skill)); }
  SnapshotPointer part(const std::set<Place> &places) {
    return scanPart(settings_, last_, places, watches_, warnings_, [] {});
  }
  std::set<Place> placesOf(const std::string &skill) const {
    const auto &places = find(*last_, skill)->places;
    return {places.begin(), places.end()};
  }
  static std::shared_ptr<const StoredSkill> find(const Snapshot &snapshot,
                                                 const std::string &skill) {
    for (const auto &one : snapshot.skills)
      if (one->id == skill) return one;
    FAIL("no skill " << skill);
    return nullptr;
  }

private:
  static const skh_host *host() {
    static const skh_host lent = [] {
      skh_host made{};
      made.log = [](const skh_host *, int32_t, skh_str) noexcept {};
      return made;
    }();
    return &lent;
  }

  Settings settings_;
  Warnings warnings_;
  Watches watches_;
  SnapshotPointer last_;
};

std::map<std::string, std::string> contentOf(Instance &instance, const Listing &listing) {
  std::map<std::string, std::string> content;
  for (const auto &[name, listed] : listing.documents)
    content[name] = std::to_string(listed.flags) + " " + instance.read(name, listed.revision).bytes;
  return content;
}

} // namespace

TEST_CASE("of a change in the files of a skill only that skill is looked at") {
  const Tree tree;
  for (const std::string skill : {"a", "team/b", "team/c"}) tree.skill(skill);
  tree.write("team/b/scripts/run.sh", "1");
  Scans scans(tree);
  const SnapshotPointer before = scans.all();
  REQUIRE(scans.placesOf("team/b").size() == 2);
  tree.write("team/b/scripts/run.sh", "22");
  tree.write("team/b/new.md", "3");
  tree.write("team/c/SKILL.md", "nobody was told of this");
  const SnapshotPointer part = scans.part("team/b");
  REQUIRE(part);
  CHECK(part->id != before->id);
  CHECK(part->find("team/b", "new.md").document != nullptr);
  CHECK(part->find("team/b", "scripts/run.sh").document->identity.size == 2);
  CHECK(part->files == before->files + 1);
  CHECK(part->folders == before->folders);
  for (const std::string other : {"a", "team/c"})
    CHECK(Scans::find(*part, other) == Scans::find(*before, other));
  const SnapshotPointer all = scans.all();
  CHECK(Scans::find(*all, "team/b")->documents == Scans::find(*part, "team/b")->documents);
  CHECK(Scans::find(*all, "team/c") != Scans::find(*before, "team/c"));
}

TEST_CASE("where nothing was noticed the snapshot is the one before") {
  const Tree tree;
  tree.skill("a");
  Scans scans(tree);
  const SnapshotPointer before = scans.all();
  CHECK(scans.part(std::set<Place>{}) == before);
  const SnapshotPointer same = scans.part("a");
  REQUIRE(same);
  CHECK(same->id == before->id);
  CHECK(same->skills == before->skills);
}

TEST_CASE("all is looked at where other skills may be others too") {
  const Tree tree;
  tree.skill("a");
  tree.skill("b");
  tree.write("b/file", "1");
  Scans scans(tree);
  scans.all();
  SECTION("a folder of no skill") { CHECK_FALSE(scans.part(std::set<Place>{{1, 2}})); }
  SECTION("the entry has gone") {
    tree.remove("b/SKILL.md");
    CHECK_FALSE(scans.part("b"));
  }
  SECTION("the skill has gone") {
    tree.remove("b");
    CHECK_FALSE(scans.part("b"));
  }
  SECTION("a skill in the skill") {
    tree.skill("b/inner");
    CHECK_FALSE(scans.part("b"));
    scans.all();
    CHECK(scans.placesOf("b").empty());
    CHECK(scans.placesOf("b/inner").empty());
    CHECK_FALSE(scans.placesOf("a").empty());
  }
  SECTION("a link") {
    tree.link("file", "b/link");
    CHECK_FALSE(scans.part("b"));
    scans.all();
    CHECK(scans.placesOf("a").empty());
  }
  SECTION("a link that leads nowhere yet") {
    tree.link("nothing", "elsewhere/link");
    scans.all();
    CHECK(scans.placesOf("a").empty());
  }
  SECTION("a hard link") {
    std::filesystem::create_hard_link(tree.at("b/file"), tree.at("a/same"));
    CHECK_FALSE(scans.part("b"));
    scans.all();
    CHECK(scans.placesOf("b").empty());
  }
  SECTION("a skill that two directories have") {
    Scans both(tree, "", tree.at("b"));
    const SnapshotPointer all = both.all();
    REQUIRE(all->skills.size() == 3);
    for (const auto &skill : all->skills) CHECK(skill->places.empty());
  }
  SECTION("the directory is a skill") {
    tree.skill("");
    scans.all();
    for (const SnapshotPointer all = scans.all(); const auto &skill : all->skills)
      CHECK(skill->places.empty());
  }
}

TEST_CASE("a part counts towards max_files as all does") {
  const Tree tree;
  tree.skill("a");
  tree.skill("b");
  Scans scans(tree, R"(,"max_files":4)");
  scans.all();
  tree.write("a/1", "");
  tree.write("a/2", "");
  CHECK(scans.part("a"));
  tree.write("a/3", "");
  CHECK_THROWS_AS(scans.part("a"), skh::Error);
}

TEST_CASE("whatever is done to watched skills, the changes lead to what is there") {
  const Tree tree;
  std::mt19937 random(GENERATE(1U, 2U, 3U)); // the same in every run
  const auto any = [&](unsigned most) { return static_cast<unsigned>(random() % most); };
  const auto skill = [&] { return (any(2) == 0 ? "s" : "team/s") + std::to_string(any(4)); };
  for (int i = 0; i < 6; ++i) tree.skill(skill());
  Instance watching(tree, R"(,"watch":"inotify","debounce_ms":1)");
  Listing known = watching.list();
  for (int round = 0; round < 25; ++round) {
    std::string done; // changes of this round
    for (unsigned i = 0; i <= any(3); ++i) {
      const std::string at = skill(), file = at + "/" + std::to_string(any(3));
      std::error_code mayFail; // the path may not exist
      const unsigned what = any(9);
      done += std::to_string(what) + ' ' + file + '\n';
      switch (what) {
      case 0:
        tree.skill(at);
        break;
      case 1:
        tree.skill(at + "/inner");
        break;
      case 2:
        tree.remove(any(2) == 0 ? at : at + "/SKILL.md");
        break;
      case 3:
        std::filesystem::rename(tree.at(at), tree.at(skill()), mayFail);
        break;
      case 4:
        std::filesystem::create_symlink("0", tree.at(file), mayFail);
        break;
      case 5:
        std::filesystem::create_hard_link(tree.at(at + "/0"), tree.at(file), mayFail);
        break;
      case 6:
        tree.remove(file);
        break;
      default:
        tree.write(at + "/sub/file", std::to_string(random()));
        [[fallthrough]];
      case 7:
        if (!std::filesystem::is_symlink(tree.at(file))) tree.write(file, std::to_string(random()));
      }
    }
    // A look that was already running may find the first mark but miss earlier changes in folders
    // that it had passed. The look that finds the second mark began after all of them.
    for (const char *const mark : {"first", "second"}) {
      const std::string last = mark + std::to_string(round);
      tree.skill("last");
      tree.write("last/" + last, "");
      Listing changes;
      REQUIRE(watching.awaitChange(known.snapshot, [&](const Listing &found) {
        changes = found;
        return found.documents.contains("last:" + last);
      }));
      for (const auto &[name, listed] : changes.documents)
        if ((listed.flags & SKH_DOC_REMOVED) != 0)
          known.documents.erase(name);
        else
          known.documents[name] = listed;
      known.snapshot = changes.snapshot;
    }
    Instance fresh(tree);
    const Listing there = fresh.list();
    INFO("round " << round << ", what was done to which file:\n" << done);
    REQUIRE(known.names() == there.names());
    REQUIRE(contentOf(watching, known) == contentOf(fresh, there));
  }
}
