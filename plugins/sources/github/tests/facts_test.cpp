// SPDX-License-Identifier: Apache-2.0
// Tests the facts of the skills of a commit and of marketplace plugins.
#include "catch2.hpp"
#include "github/snapshot.hpp"

#include <nlohmann/json.hpp>

#include <skillhost/plugin.hpp>

using namespace skillhost::github;

namespace {

const std::string commit(40, 'c');

StoredSkill skillAt(const std::string &id, const std::string &folder, std::size_t origin = 0) {
  const std::string place = folder.empty() ? "SKILL.md" : folder + "/SKILL.md";
  return {id, {{"SKILL.md", "b1", place, 14, SKH_DOC_ENTRY}}, origin};
}

Origin originAt(const std::string &address, std::int64_t fetched) {
  return {"", "", false, address, "trunk", commit, fetched};
}

nlohmann::json facts(const Snapshot &snapshot) { return nlohmann::json::parse(factsOf(snapshot)); }

} // namespace

TEST_CASE("what holds for all skills of a repository is stated once") {
  Snapshot snapshot;
  snapshot.origins = {originAt("https://h/o/n.git", 1'000'000'000)};
  snapshot.skills = {skillAt("a", "a"), skillAt("b/c", "b/c")};
  CHECK(facts(snapshot) == nlohmann::json{{"*",
                                           {{"kind", "git"},
                                            {"repository", "https://h/o/n.git"},
                                            {"ref", "trunk"},
                                            {"commit", commit},
                                            {"fetched_at", "2001-09-09T01:46:40Z"},
                                            {"integrity", "sha1"},
                                            {"signature", "unchecked"},
                                            {"path", "."}}}});
  snapshot.subpath = "tools";
  snapshot.skills = {skillAt("a", "tools/a"), skillAt("n", "tools")};
  const nlohmann::json below = facts(snapshot);
  CHECK(below.at("*").at("path") == "tools");
  CHECK(below.at("n") == nlohmann::json{{"path", "tools"}});
  CHECK_FALSE(below.contains("a"));
}

TEST_CASE("a skill that is called otherwise than its folder has a path of its own") {
  Snapshot snapshot;
  snapshot.origins = {originAt("ssh://h/n", 0)};
  snapshot.skills = {skillAt("n", ""), skillAt("n/a", "a")};
  const nlohmann::json all = facts(snapshot);
  CHECK(all.at("n") == nlohmann::json{{"path", "."}});
  CHECK(all.at("n/a") == nlohmann::json{{"path", "a"}});
  CHECK_FALSE(all.at("*").contains("fetched_at")); // the time is unknown
}

TEST_CASE("of several repositories each skill has its own") {
  Snapshot snapshot;
  snapshot.origins = {originAt("https://h/o/n", 5), originAt("https://h/far", 6)};
  snapshot.skills = {skillAt("a", "a"), skillAt("far/b", "x/b", 1)};
  const nlohmann::json all = facts(snapshot);
  CHECK_FALSE(all.contains("*"));
  CHECK(all.at("a").at("repository") == "https://h/o/n");
  CHECK(all.at("far/b").at("repository") == "https://h/far");
  CHECK(all.at("far/b").at("path") == "x/b");
}
