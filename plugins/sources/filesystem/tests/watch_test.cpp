// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "filesystem/debounce.hpp"
#include "filesystem/watch_events.hpp"
#include "fixture.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include <cstring>

using namespace skillhost::filesystem;
using namespace skillhost::filesystem::test;
using namespace std::chrono_literals;

namespace {

const std::string watched = R"(,"watch":"inotify","debounce_ms":5)";

auto has(const std::string &name) {
  return [name](const Listing &changes) { return changes.documents.contains(name); };
}

} // namespace

TEST_CASE("changes of files are noticed") {
  const Tree tree;
  tree.skill("x");
  Instance instance(tree, watched);
  const Listing before = instance.list();
  SECTION("new") {
    tree.write("x/a", "new");
    CHECK(instance.awaitChange(before.snapshot, has("x:a")));
  }
  SECTION("written") {
    tree.write("x/SKILL.md", "changed");
    CHECK(instance.awaitChange(before.snapshot, has("x:SKILL.md")));
  }
  SECTION("removed") {
    tree.remove("x");
    CHECK(instance.awaitChange(before.snapshot, has("x:SKILL.md")));
  }
  SECTION("renamed") {
    tree.rename("x", "y");
    CHECK(instance.awaitChange(before.snapshot, has("y:SKILL.md")));
  }
  SECTION("made executable") {
    REQUIRE(::chmod(tree.at("x/SKILL.md").c_str(), 0755) == 0);
    CHECK(instance.awaitChange(before.snapshot, [](const Listing &changes) {
      const auto found = changes.documents.find("x:SKILL.md");
      return found != changes.documents.end() &&
             found->second.flags == (SKH_DOC_ENTRY | SKH_DOC_EXECUTABLE);
    }));
  }
}

TEST_CASE("folders made in quick succession are all noticed") {
  const Tree tree;
  Instance instance(tree, watched);
  Listing before = instance.list();
  for (int round = 0; round < 10; ++round) {
    const std::string folder = "a" + std::to_string(round) + "/b/c/d";
    tree.skill(folder);
    REQUIRE(instance.awaitChange(before.snapshot, has(folder + ":SKILL.md")));
    tree.write(folder + "/e/f", "deeper");
    REQUIRE(instance.awaitChange(before.snapshot, has(folder + ":e/f")));
    before = instance.list();
  }
}

TEST_CASE("a directory that appears later is noticed") {
  const Tree tree;
  const std::string mode =
      GENERATE(R"(,"watch":"inotify","debounce_ms":5)", R"(,"watch":"poll","poll_interval_ms":10)");
  Instance instance({tree.at("some/where/skills")}, mode + R"(,"optional":true)");
  const Listing before = instance.list();
  CHECK(before.names().empty());
  tree.skill("some/where/skills/x");
  CHECK(instance.awaitChange(before.snapshot, has("x:SKILL.md")));
  const Listing there = instance.list();
  tree.rename("some", "elsewhere"); // a single step, while removing takes several
  CHECK(instance.awaitChange(there.snapshot, has("x:SKILL.md")));
  CHECK(instance.warnings("the source waits until it can") == 0);
}

TEST_CASE("a directory that goes away is a failure until it is back, and no skill is removed") {
  const Tree tree;
  tree.skill("skills/x");
  const std::string mode =
      GENERATE(R"(,"watch":"inotify","debounce_ms":5)", R"(,"watch":"poll","poll_interval_ms":10)");
  Instance instance({tree.at("skills")}, mode);
  const Listing before = instance.list();
  for (int times = 1; times <= 2; ++times) {
    tree.rename("skills", "elsewhere");
    const auto hasFailed = [](const Listing &changes) { return changes.status != SKH_OK; };
    CHECK(instance.awaitChange(before.snapshot, hasFailed));
    const Listing gone = instance.changes(before.snapshot);
    CHECK(gone.status == SKH_UNAVAILABLE);
    CHECK(gone.names().empty());
    CHECK(instance.failure().find("skills cannot be read: No such file") != std::string::npos);
    CHECK(instance.list().status == SKH_UNAVAILABLE);
    CHECK(instance.read("x:SKILL.md", before.documents.at("x:SKILL.md").revision).status ==
          SKH_UNAVAILABLE);
    CHECK(instance.warnings("the source waits until it can") == times);
    // The host is told that it is back, although nothing has changed in the end.
    const int heard = instance.hints();
    tree.rename("elsewhere", "skills");
    const auto isGood = [](const Listing &changes) { return changes.status == SKH_OK; };
    CHECK(instance.awaitChange(before.snapshot, isGood, heard));
    CHECK(instance.list().names() == before.names());
  }
}

TEST_CASE("a directory that may be missing is empty when it goes away") {
  const Tree tree;
  tree.skill("skills/x");
  Instance instance({tree.at("skills")}, watched + R"(,"optional":true)");
  const Listing before = instance.list();
  tree.rename("skills", "elsewhere");
  CHECK(instance.awaitChange(before.snapshot, has("x:SKILL.md")));
  CHECK(instance.list().names().empty());
}

TEST_CASE("a link to the directory that is moved on is noticed") {
  const Tree tree;
  tree.skill("v1/skills/x");
  tree.skill("v2/skills/y");
  tree.link("v1", "current");
  Instance instance({tree.at("current/skills")}, watched);
  const Listing before = instance.list();
  tree.link("v2", "next");
  tree.rename("next", "current");
  CHECK(instance.awaitChange(before.snapshot, has("y:SKILL.md")));
}

TEST_CASE("what a link points to is watched in a folder that is not looked into") {
  const Tree tree;
  tree.skill("x");
  tree.write("x/.store/a", "1");
  tree.link(".store/a", "x/a");
  Instance instance(tree, watched);
  const Listing before = instance.list();
  tree.write("x/.store/a", "22");
  CHECK(instance.awaitChange(before.snapshot, has("x:a")));
}

TEST_CASE("polling notices what changes") {
  const Tree tree;
  tree.skill("x");
  Instance instance(tree, R"(,"watch":"poll","poll_interval_ms":10)");
  const Listing before = instance.list();
  tree.write("x/a", "new");
  CHECK(instance.awaitChange(before.snapshot, has("x:a")));
}

TEST_CASE("changes that leave the listing as it is give no hint") {
  const Tree tree;
  tree.skill("x");
  tree.write("elsewhere/file", "1");
  Instance instance(tree, watched);
  const Listing before = instance.list();
  tree.write("elsewhere/file", "in no skill");
  tree.rename("elsewhere/file", "x/a");
  CHECK(instance.awaitChange(before.snapshot, has("x:a")));
  CHECK(instance.hints() == 1);
}

TEST_CASE("a lost event means a look at everything, a stray one nothing") {
  const auto record = [](int watch, std::uint32_t mask, const std::string &name) {
    inotify_event head{};
    head.wd = watch;
    head.mask = mask;
    head.len = name.empty() ? 0 : 16;
    std::string bytes(sizeof head, '\0');
    std::memcpy(bytes.data(), &head, sizeof head);
    std::string padded = name;
    padded.resize(head.len);
    return bytes + padded;
  };
  skh_host host{};
  host.log = [](const skh_host *, int32_t, skh_str) noexcept {};
  Warnings warnings{skh::Host(&host)};
  Watches watches(WatchMode::inotify, warnings);
  CHECK(watches.handleRecords(record(-1, IN_Q_OVERFLOW, "")));
  CHECK_FALSE(watches.handleRecords(record(12'345, IN_MODIFY, "name")));
  CHECK(watches.handleRecords(record(12'345, IN_MODIFY, "name") + record(-1, IN_Q_OVERFLOW, "")));
  const std::string two = record(1, IN_CREATE, "first") + record(2, IN_DELETE, "");
  std::string_view rest = two;
  const std::optional<WatchEvent> first = takeEvent(rest);
  REQUIRE(first);
  CHECK(first->name == "first");
  const std::optional<WatchEvent> second = takeEvent(rest);
  REQUIRE(second);
  CHECK(second->watch == 2);
  CHECK(second->name.empty());
  CHECK_FALSE(takeEvent(rest));
}

TEST_CASE("a busy folder on the way wakes nobody until the awaited name comes or goes") {
  const Tree tree;
  tree.write("above/busy", "1");
  skh_host host{};
  host.log = [](const skh_host *, int32_t, skh_str) noexcept {};
  Warnings warnings{skh::Host(&host)};
  Watches watches(WatchMode::inotify, warnings);
  watches.arm();
  const skillhost::Descriptor above(
      ::open(tree.at("above").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat status{};
  REQUIRE(::fstat(above.number(), &status) == 0);
  const Place place{status.st_dev, status.st_ino};
  // The kernel queues an event before the call that causes it returns.
  const auto isWoken = [&] {
    pollfd waiting{watches.descriptor(), POLLIN, 0};
    return ::poll(&waiting, 1, 0) == 1;
  };
  REQUIRE(watches.await(above.number(), place, "skills"));
  tree.write("above/busy", "22");
  CHECK_FALSE(isWoken());
  tree.write("above/new", "another name");
  CHECK(isWoken());
  CHECK_FALSE(watches.drain());
  tree.skill("above/skills/x");
  CHECK(watches.drain());
  tree.rename("above/skills", "elsewhere");
  CHECK(watches.drain());
  // The same folder is now visited, so writes in it count.
  watches.visit(above.number(), place);
  tree.write("above/busy", "333");
  CHECK(watches.drain());
  tree.rename("elsewhere", "above/skills");
  CHECK(watches.drain());
}

TEST_CASE("a burst is waited for, but not for ever") {
  Debounce debounce(50ms);
  const Debounce::Time start{};
  CHECK_FALSE(debounce.due());
  debounce.touch(start);
  CHECK(debounce.due() == start + 50ms);
  debounce.touch(start + 40ms);
  CHECK(debounce.due() == start + 90ms);
  debounce.touch(start + 190ms);
  CHECK(debounce.due() == start + 200ms);
  debounce.clear();
  CHECK_FALSE(debounce.due());
  debounce.touch(start + 300ms);
  CHECK(debounce.due() == start + 350ms);
}
