// SPDX-License-Identifier: Apache-2.0
#include "differences.hpp"

#include "catch2.hpp"

using namespace skillhost;

namespace {

const std::string digest(64, 'a'), otherDigest(64, 'b');

SkillsLock example() {
  SkillsLock lock;
  lock.sources["team"] = {
      "github",
      "c0ffee",
      {{"pdf", {{"SKILL.md", {digest, 12}}, {"run \"it\".sh", {digest, 0, true}}}},
       {"csv", {{"SKILL.md", {otherDigest, 7}}}}}};
  lock.sources["empty"] = {"filesystem", "", {}};
  return lock;
}

} // namespace

TEST_CASE("what differs is told by source, skill and document") {
  SkillsLock now = example();
  CHECK(differencesOf(example(), now).empty());
  SourceLock &team = now.sources["team"];
  team.snapshot = "decaf";
  team.skills["pdf"]["SKILL.md"].digest = otherDigest;
  team.skills["pdf"]["new.md"] = {digest, 1};
  team.skills.erase("csv");
  team.skills["txt"];
  now.sources.erase("empty");
  now.sources["more"];
  CHECK(differencesOf(example(), now) ==
        std::vector<std::string>{
            "more: the source is new", "team: the snapshot is decaf, locked is c0ffee",
            "team/pdf: SKILL.md has other bytes; new.md is new", "team/txt: is new",
            "team/csv: is gone", "empty: the source is gone"});
}
