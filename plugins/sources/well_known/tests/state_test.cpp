// SPDX-License-Identifier: Apache-2.0
// Tests the state kept between two starts, and the differences between snapshots.
#include "catch2.hpp"
#include "well_known/state_file.hpp"

#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

using namespace skillhost::well_known;

namespace {

SkillPointer skill(const std::string &name, char digest, std::vector<StoredDocument> documents) {
  auto made = std::make_shared<StoredSkill>();
  made->entry = {name, ArtefactKind::archive, "https://example.org/" + name,
                 std::string(64, digest)};
  made->documents = std::move(documents);
  made->fetched = 1'000'000'000;
  return made;
}

StoredDocument document(const std::string &path, char revision) {
  return {path, std::string(64, revision), 3, SKH_DOC_EXECUTABLE};
}

std::vector<std::string> difference(const SnapshotPointer &before, const SnapshotPointer &after) {
  std::vector<std::string> told;
  compare(*before, *after, [&](const StoredSkill &of, const StoredDocument &one, bool removed) {
    told.push_back((removed ? "-" : "+") + of.entry.name + "/" + one.path);
  });
  return told;
}

} // namespace

TEST_CASE("the state comes back as it was written") {
  const State state{"https://example.org/i.json",
                    "\"tag\"",
                    1234,
                    {skill("a", '1', {document("SKILL.md", '2'), document("b", '3')})},
                    std::string(64, '9')};
  const auto read = readState(writeState(state), state.url);
  REQUIRE(read);
  CHECK((read->etag == state.etag && read->checked == 1234 && read->skills.size() == 1));
  const StoredSkill &back = *read->skills.front();
  CHECK((back.entry.name == "a" && back.entry.kind == ArtefactKind::archive));
  CHECK(back.entry.digest == std::string(64, '1'));
  CHECK((back.fetched == 1'000'000'000 && read->indexDigest == std::string(64, '9')));
  REQUIRE(back.documents.size() == 2);
  CHECK((back.documents[1].path == "b" && back.documents[1].size == 3));
  CHECK(back.documents[1].flags == SKH_DOC_EXECUTABLE);
}

TEST_CASE("a state of something else is as if it were not there") {
  const State state{"u", "", 1, {skill("a", '1', {document("SKILL.md", '2')})}};
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
  CHECK_FALSE(with("\"a\"", "\"../a\""));
  CHECK_FALSE(with("\"SKILL.md\"", "\"a\\u0000b\""));
  CHECK_FALSE(with("\"SKILL.md\"", "7"));
  CHECK_FALSE(with(std::string(64, '2'), std::string(63, '2')));
}

TEST_CASE("only what differs is told") {
  const auto one = skill("a", '1', {document("SKILL.md", '1'), document("x", '1')});
  const auto before = makeSnapshot({skill("c", '1', {document("SKILL.md", '1')}), one});
  const auto other = skill("a", '2', {document("SKILL.md", '1'), document("y", '1')});
  CHECK(difference(before, before).empty());
  CHECK(difference(before, makeSnapshot({other})) ==
        std::vector<std::string>{"-a/x", "-c/SKILL.md", "+a/y"});
  CHECK(makeSnapshot({one, other})->id != before->id);
  CHECK(before->find("a") == one);
  CHECK_FALSE(before->find("b"));
}

TEST_CASE(
    "what is stated of a skill is its archive and its index, and no secret in their addresses") {
  auto signedOne = std::make_shared<StoredSkill>(*skill("b", '2', {}));
  signedOne->entry.url += "?signature=s3cr3t";
  signedOne->fetched = 0;
  const auto made = makeSnapshot({skill("a", '1', {}), signedOne},
                                 "https://example.org/i.json?x=s3cr3t", std::string(64, '9'));
  const std::string text = factsOf(*made);
  CHECK(text.find("s3cr3t") == std::string::npos);
  const auto facts = nlohmann::json::parse(text);
  CHECK(facts.at("*").at("index") == "https://example.org/i.json");
  CHECK(facts.at("*").at("index_digest") == "sha256:" + std::string(64, '9'));
  CHECK(facts.at("a") == nlohmann::json{{"archive", "https://example.org/a"},
                                        {"archive_digest", "sha256:" + std::string(64, '1')},
                                        {"fetched_at", "2001-09-09T01:46:40Z"}});
  CHECK_FALSE(facts.at("b").contains("fetched_at")); // a version without this value has kept it
  CHECK_FALSE(nlohmann::json::parse(factsOf(*makeSnapshot({}))).at("*").contains("index_digest"));
}
