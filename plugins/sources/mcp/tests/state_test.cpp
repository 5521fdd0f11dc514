// SPDX-License-Identifier: Apache-2.0
// Tests the state kept between two starts, and the differences between snapshots.
#include "catch2.hpp"
#include "mcp/state_file.hpp"

#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost::mcp_source;

namespace {

StoredDocument document(const std::string &path, char revision) {
  return {path, "skill://x/" + path, std::string(64, revision), 3};
}

SkillPointer skill(const std::string &id, std::vector<StoredDocument> documents) {
  return std::make_shared<StoredSkill>(StoredSkill{id, "skill://" + id + "/SKILL.md",
                                                   "skill://" + id, 1'000'000'000,
                                                   std::move(documents), "a-way"});
}

std::vector<std::string> difference(const SnapshotPointer &before, const SnapshotPointer &after) {
  std::vector<std::string> told;
  compare(*before, *after, [&](const StoredSkill &of, const StoredDocument &one, bool removed) {
    told.push_back((removed ? "-" : "+") + of.id + "/" + one.path);
  });
  return told;
}

SnapshotPointer snapshot(std::vector<SkillPointer> skills) {
  return makeSnapshot(std::move(skills), "https://a.example/mcp", {"s", "1", "2026-07-28"});
}

} // namespace

TEST_CASE("the state comes back as it was written") {
  const State state{"https://a.example/mcp?x",
                    1234,
                    {skill("team/a", {document("SKILL.md", '2'), document("b", '3')})},
                    {"s", "1.2", "2026-07-28"}};
  const auto read = readState(writeState(state), state.url);
  REQUIRE(read);
  CHECK((read->checked == 1234 && read->skills.size() == 1));
  const StoredSkill &back = *read->skills.front();
  CHECK((back.id == "team/a" && back.uri == "skill://team/a/SKILL.md"));
  CHECK((back.folder == "skill://team/a" && back.fetched == 1'000'000'000));
  CHECK(back.documents == state.skills.front()->documents);
  CHECK(back.through == "a-way");
  CHECK((read->facts.name == "s" && read->facts.version == "1.2"));
}

TEST_CASE("a state of something else is as if it were not there") {
  const State state{"u", 1, {skill("a", {document("SKILL.md", '2')})}, {}};
  const std::string text = writeState(state);
  CHECK(readState(text, "u"));
  CHECK_FALSE(readState(text, "v"));
  CHECK_FALSE(readState(text.substr(0, text.size() / 2), "u"));
  const auto with = [&](const std::string &what, const std::string &by) {
    std::string changed = text;
    REQUIRE(changed.find(what) != changed.npos);
    return readState(changed.replace(changed.find(what), what.size(), by), "u").has_value();
  };
  CHECK_FALSE(with("\"version\":1", "\"version\":2"));
  CHECK_FALSE(with("\"id\":\"a\"", "\"id\":\"../a\""));
  CHECK_FALSE(with("\"SKILL.md\"", "\"a\\u0000b\""));
  CHECK_FALSE(with("\"SKILL.md\"", "7"));
  CHECK_FALSE(with(std::string(64, '2'), std::string(63, '2')));
}

TEST_CASE("only what differs is told") {
  const auto one = skill("a", {document("SKILL.md", '1'), document("x", '1')});
  const auto before = snapshot({skill("c", {document("SKILL.md", '1')}), one});
  const auto other = skill("a", {document("SKILL.md", '1'), document("y", '1')});
  CHECK(difference(before, before).empty());
  CHECK(difference(before, snapshot({other})) ==
        std::vector<std::string>{"-a/x", "-c/SKILL.md", "+a/y"});
  CHECK(snapshot({other})->id != snapshot({one})->id);
  StoredSkill moved = *one;
  moved.folder = "skill://elsewhere/a";
  CHECK(snapshot({std::make_shared<const StoredSkill>(moved)})->id != snapshot({one})->id);
  StoredSkill respelled = *one;
  respelled.uri = "skill://%61/SKILL.md";
  CHECK(snapshot({std::make_shared<const StoredSkill>(respelled)})->id != snapshot({one})->id);
  CHECK(before->find("a") == one);
  CHECK_FALSE(before->find("b"));
}

TEST_CASE("what is stated of a skill is its server and its URI") {
  const auto facts = nlohmann::json::parse(factsOf(*snapshot({skill("team/a", {})})));
  CHECK(facts.at("*") == nlohmann::json{{"kind", "mcp"},
                                        {"server", "https://a.example/mcp"},
                                        {"server_name", "s"},
                                        {"server_version", "1"},
                                        {"protocol", "2026-07-28"},
                                        {"integrity", "sha256"},
                                        {"signature", "none"}});
  CHECK(facts.at("team/a") == nlohmann::json{{"uri", "skill://team/a/SKILL.md"},
                                             {"through", "a-way"},
                                             {"fetched_at", "2001-09-09T01:46:40Z"}});
}
