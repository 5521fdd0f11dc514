// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "fixture.hpp"

using namespace skillhost::filesystem::test;
using Names = std::vector<std::string>;

TEST_CASE("changes tell what was added, changed and removed") {
  const Tree tree;
  tree.skill("x");
  tree.write("x/a", "a");
  tree.write("x/b", "b");
  Instance instance(tree);
  const Listing before = instance.list();
  const Listing same = instance.changes(before.snapshot);
  CHECK(same.status == SKH_OK);
  CHECK(same.snapshot == before.snapshot);
  CHECK(same.documents.empty());
  tree.write("x/a", "changed");
  tree.remove("x/b");
  tree.write("x/c", "c");
  const Listing changes = instance.changes(before.snapshot);
  CHECK(changes.names() == Names{"x:a", "x:b", "x:c"});
  CHECK(changes.documents.at("x:a").flags == 0);
  CHECK(changes.documents.at("x:a").revision != before.documents.at("x:a").revision);
  CHECK(changes.documents.at("x:b").flags == SKH_DOC_REMOVED);
  CHECK(changes.snapshot != before.snapshot);
  CHECK(changes.snapshot == instance.list().snapshot);
}

TEST_CASE("a renamed skill goes and comes") {
  const Tree tree;
  tree.skill("old");
  Instance instance(tree);
  const Listing before = instance.list();
  tree.rename("old", "new");
  const Listing changes = instance.changes(before.snapshot);
  CHECK(changes.names() == Names{"new:SKILL.md", "old:SKILL.md"});
  CHECK(changes.documents.at("new:SKILL.md").flags == SKH_DOC_ENTRY);
  CHECK(changes.documents.at("old:SKILL.md").flags == SKH_DOC_REMOVED);
}

TEST_CASE("the last few snapshots are remembered, others are stale") {
  const Tree tree;
  tree.skill("x");
  Instance instance(tree);
  CHECK(instance.changes("never given").status == SKH_STALE);
  std::vector<std::string> snapshots;
  for (int i = 0; i < 5; ++i) {
    tree.write("x/" + std::to_string(i), "x");
    snapshots.push_back(instance.list().snapshot);
  }
  CHECK(instance.changes(snapshots[0]).status == SKH_STALE);
  CHECK(instance.changes(snapshots[1]).documents.size() == 3);
}

TEST_CASE("a directory that is exchanged is opened anew") {
  const Tree tree;
  tree.skill("v1/x");
  tree.skill("v2/y");
  tree.link("v1", "current");
  Instance instance({tree.at("current")}, R"(,"watch":"off")");
  const Listing before = instance.list();
  tree.link("v2", "next");
  tree.rename("next", "current");
  CHECK(instance.changes(before.snapshot).names() == Names{"x:SKILL.md", "y:SKILL.md"});
}
