// SPDX-License-Identifier: Apache-2.0
#include "differences.hpp"

#include "catch2.hpp"

using namespace skillhost;

namespace {

const std::string lockedDigest(64, 'a'), otherLockedDigest(64, 'b');

SkillsLock exampleLock() {
  SkillsLock lock;
  lock.sources["team"] = {
      "github",
      "c0ffee",
      {{"pdf", {{"SKILL.md", {lockedDigest, 12}}, {"run \"it\".sh", {lockedDigest, 0, true}}}},
       {"csv", {{"SKILL.md", {otherLockedDigest, 7}}}}}};
  lock.sources["empty"] = {"filesystem", "", {}};
  return lock;
}

} // namespace

TEST_CASE("what differs is told by source, skill and document") {
  SkillsLock now = exampleLock();
  CHECK(differencesOf(exampleLock(), now).empty());
  SourceLock &team = now.sources["team"];
  team.snapshot = "decaf";
  team.skills["pdf"]["SKILL.md"].digest = otherLockedDigest;
  team.skills["pdf"]["new.md"] = {lockedDigest, 1};
  team.skills.erase("csv");
  team.skills["txt"];
  now.sources.erase("empty");
  now.sources["more"];
  CHECK(differencesOf(exampleLock(), now) ==
        std::vector<std::string>{
            "more: the source is new", "team: the snapshot is decaf, locked is c0ffee",
            "team/pdf: SKILL.md has other bytes; new.md is new", "team/txt: is new",
            "team/csv: is gone", "empty: the source is gone"});
}
