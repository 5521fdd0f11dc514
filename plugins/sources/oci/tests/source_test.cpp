// SPDX-License-Identifier: Apache-2.0
// Tests the source itself: configuration, tags, catalogues, ids and the kept state.
#include "catch2.hpp"
#include "mentions.hpp"
#include "oci/state_file.hpp"
#include "oci/wanted.hpp"

#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

using namespace skillhost;
using namespace skillhost::oci_source;

namespace {

std::string refused(const std::string &configuration) {
  try {
    const Settings settings(configuration);
    return "taken";
  } catch (const skh::Error &error) {
    return error.what();
  }
}

ArtefactPointer artefact(const std::string &reference, std::vector<std::string> folders,
                         char digit = 'a') {
  auto made = std::make_shared<Artefact>();
  made->reference = *skillhost::oci::readReference(reference);
  made->digest = "sha256:" + std::string(64, digit);
  for (std::string &folder : folders)
    made->skills.push_back(
        {std::move(folder), {{"SKILL.md", std::string(64, digit), 3, SKH_DOC_ENTRY}}});
  return made;
}

std::string idsOf(const Snapshot &snapshot) {
  std::string all;
  for (const Listed &one : snapshot.skills) all += one.id + " ";
  return all;
}

} // namespace

TEST_CASE("a configuration that cannot be meant is refused, with its key") {
  CHECK(refused(R"({"references":["a.b/c:1"]})") == "taken");
  CHECK(mentions(refused("{}"), "references"));
  CHECK(mentions(refused(R"({"references":["c:1"]})"), "references[0]"));
  CHECK(mentions(refused(R"({"references":["a.b/c:1","a.b/c:1"]})"), "twice"));
  CHECK(mentions(refused(R"({"references":["a.b/c:1"],"pin":"x"})"), "pin"));
  CHECK(mentions(refused(R"({"references":["a.b/c:1","a.b/d"],"pin":"sha256:)" + digits64 + "\"}"),
                 "pin"));
  CHECK(mentions(refused(R"({"repository":"a.b/c:1"})"), "repository"));
  CHECK(mentions(refused(R"({"references":["a.b/c"],"tags":["v*"]})"), "tags"));
  CHECK(mentions(refused(R"({"references":["a.b/c"],"user":"u"})"), "token"));
  CHECK(mentions(refused(R"({"references":["a.b/c","d.e/f"],"token":"t"})"), "several"));
  CHECK(mentions(refused(R"({"references":["a.b/c"],"token":"t\n"})"), "token"));
  CHECK(mentions(refused(R"({"references":["a.b/c"],"token":"t","docker_config":"/x"})"),
                 "docker_config"));
  CHECK(mentions(refused(R"({"references":["a.b/c"],"docker_helpers":["pass"]})"),
                 "docker_config, which is missing"));
  CHECK(mentions(
      refused(R"({"references":["a.b/c"],"docker_config":"/x","docker_helpers":["../x"]})"),
      "docker_helpers: \"../x\""));
  CHECK(refused(R"({"references":["a.b/c"],"docker_config":"/x","docker_helpers":["pass"]})") ==
        "taken");
  CHECK(mentions(refused(R"({"references":["a.b/c"],"plain_http":true})"), "plain_http"));
  CHECK(mentions(refused(R"({"references":["a.b/c"],"plain_http_registries":["http://a.b"]})"),
                 "plain_http_registries"));
  CHECK(mentions(refused(R"({"references":["a.b/c"],"max_skills":0})"), "max_skills"));
  CHECK(mentions(refused(R"({"references":["a.b/c"],"trusted_keys":[]})"), "trusted_keys"));
  CHECK(mentions(refused(R"({"references":["a.b/c"],"trusted_keys":["/nowhere.pub"]})"),
                 "/nowhere.pub: this file"));
  CHECK(
      mentions(refused(R"({"references":["a.b/c"],"trusted_keys":["-----BEGIN PUBLIC KEY-----"]})"),
               "trusted_keys[0]: is no public key"));
  const Settings plain(
      R"({"references":["127.0.0.1:5/c","a.b:1/c"],"plain_http":true,"plain_http_registries":["a.b:1"]})");
  CHECK(plain.access.isPlain("127.0.0.1:5"));
  CHECK(plain.access.isPlain("a.b:1"));
  CHECK_FALSE(plain.access.isPlain("a.b"));
  const Settings pinned(R"({"references":["a.b/c:1"],"pin":"sha256:)" + digits64 + "\"}");
  CHECK(pinned.references[0].manifest() == "sha256:" + digits64);
}

TEST_CASE("the newest tag is that of the highest version") {
  for (const auto &[newer, older] :
       std::vector<std::pair<const char *, const char *>>{{"v1.10", "v1.9"},
                                                          {"2.0", "2.0-rc1"},
                                                          {"2.0-rc10", "2.0-rc9"},
                                                          {"v2", "1.9.9"},
                                                          {"1.2.1", "1.2"},
                                                          {"2026-11-02", "2026-10-30"},
                                                          {"1.00000000000000000000002", "1.1"}}) {
    INFO(newer << " and " << older);
    CHECK(isNewerTag(newer, older));
    CHECK_FALSE(isNewerTag(older, newer));
  }
  CHECK_FALSE(isNewerTag("v1", "v1"));
  const std::vector<std::string> tags{"v1.2", "v1.10",  "latest",
                                      "v1.9", "v2-rc1", "sha256-" + digits64 + ".sig"};
  const Settings newest(R"({"repository":"a.b/c","tags":["v*"]})");
  CHECK(chooseTags(tags, newest) == std::vector<std::string>{"v2-rc1"});
  const Settings stable(R"({"repository":"a.b/c","tags":["v1.*"]})");
  CHECK(chooseTags(tags, stable) == std::vector<std::string>{"v1.10"});
  const Settings all(R"({"repository":"a.b/c","take":"all"})");
  CHECK(chooseTags(tags, all).size() == 5);
  CHECK(chooseTags({}, newest).empty());
}

TEST_CASE("a catalogue names references, of registries that may be asked") {
  const Settings settings(R"({"catalogue":"a.b/list","allow_registries":["c.d"]})");
  std::string said;
  const auto read = readCatalogue("# ours\n a.b/x:1 # the first\r\n\nc.d/y@sha256:" + digits64 +
                                      "\nevil.example/z\nnothing\n",
                                  settings, [&](const std::string &text) { said += text + "\n"; });
  REQUIRE(read.size() == 2);
  CHECK(read[0].text() == "a.b/x:1");
  CHECK(read[1].registry == "c.d");
  CHECK(mentions(said, "line 5"));
  CHECK(mentions(said, "does not name evil.example"));
  CHECK(mentions(said, "line 6"));
}

TEST_CASE("ids are paths of repositories, told apart where they must be") {
  const Settings settings(R"({"references":["a.b/c"]})");
  const auto ids = [&](const std::vector<ArtefactPointer> &all) {
    return idsOf(*makeSnapshot(all, settings));
  };
  CHECK(ids({artefact("a.b/team/x:1", {""})}) == "team/x ");
  CHECK(ids({artefact("a.b/x:1", {"p", "q/r"})}) == "x/p x/q/r ");
  CHECK(ids({artefact("a.b/x:1", {""}), artefact("a.b/x:2", {""})}) == "x/1 x/2 ");
  CHECK(ids({artefact("a.b/x:1", {""}), artefact("c.d/x:1", {""})}) == "a.b/x/1 c.d/x/1 ");
  CHECK(ids({artefact("a.b/x:1", {"y"}), artefact("a.b/x/y:1", {""})}) == "x/y ");
  const Settings chosen(R"({"references":["a.b/c"],"include":["x/*"],"exclude":["x/q"]})");
  CHECK(idsOf(*makeSnapshot({artefact("a.b/x:1", {"p", "q"}), artefact("a.b/y:1", {""})},
                            chosen)) == "x/p ");
}

TEST_CASE("what an artefact of its own has is not replaced by a folder of another one") {
  const Settings settings(R"({"references":["a.b/team:1","a.b/team/pdf:1"]})");
  const auto made = makeSnapshot(
      {artefact("a.b/team:1", {"pdf", "x"}), artefact("a.b/team/pdf:1", {""})}, settings);
  CHECK(idsOf(*made) == "team/pdf team/x ");
  CHECK(made->find("team/pdf")->artefact->reference.repository == "team/pdf");
  REQUIRE(made->leftOut.size() == 1);
  CHECK(mentions(made->leftOut[0], "a.b/team:1"));
}

TEST_CASE("an artefact that a catalogue brings does not change the ids of one that is named") {
  const Settings settings(R"({"references":["a.b/pdf:1"],"catalogue":"a.b/all:1"})");
  const auto named = artefact("a.b/pdf:1", {""});
  CHECK(idsOf(*makeSnapshot({named}, settings)) == "pdf ");
  CHECK(idsOf(*makeSnapshot({named, artefact("c.d/pdf:1", {""})}, settings)) == "pdf pdf/1 ");
}

TEST_CASE("a snapshot's name brings the same again, as long as there is room for it") {
  const std::vector<ArtefactPointer> two{artefact("a.b/x:1", {""}),
                                         artefact("a.b/y@sha256:" + digits64, {""})};
  const auto again = referencesIn(snapshotId(two));
  REQUIRE(again);
  REQUIRE(again->size() == 2);
  CHECK((*again)[0].text() == "a.b/x:1@sha256:" + digits64);
  CHECK((*again)[1].text() == "a.b/y@sha256:" + digits64);
  const std::vector<ArtefactPointer> many(100, artefact("a.b/x:1", {""}));
  CHECK(snapshotId(many).size() == 69);
  CHECK_FALSE(referencesIn(snapshotId(many)));
  CHECK_FALSE(referencesIn(snapshotId({})));
  CHECK_FALSE(referencesIn("a.b/x:1"));
  CHECK(snapshotId(two) != snapshotId({two[1], two[0]}));
}

TEST_CASE("differences are told, and only these") {
  const Settings settings(R"({"references":["a.b/c"]})");
  const auto same = artefact("a.b/s:1", {""});
  const auto before = makeSnapshot({same, artefact("a.b/x:1", {"p", "q"}, '1')}, settings);
  const auto after = makeSnapshot({same, artefact("a.b/x:1", {"p", "r"}, '2')}, settings);
  std::string told;
  compare(*before, *after, [&](const Listed &skill, const StoredDocument &document, bool removed) {
    told += (removed ? "-" : "+") + skill.id + "/" + document.path + " ";
  });
  CHECK(told == "-x/q/SKILL.md +x/p/SKILL.md +x/r/SKILL.md ");
}

TEST_CASE("what is kept comes back, and what is damaged counts as not there") {
  auto known = std::make_shared<Artefact>(*artefact("a.b/x:1", {"", "p"}));
  known->signer = "release";
  known->fetched = 5678;
  State state{"of this", 1234, {known}};
  const std::string text = writeState(state);
  const auto read = readState(text, "of this");
  REQUIRE(read);
  CHECK(read->checked == 1234);
  REQUIRE(read->artefacts.size() == 1);
  CHECK((read->artefacts[0]->signer == "release" && read->artefacts[0]->fetched == 5678));
  CHECK(read->artefacts[0]->reference == state.artefacts[0]->reference);
  CHECK(read->artefacts[0]->skills[1].folder == "p");
  CHECK(read->artefacts[0]->skills[0].documents[0].revision == std::string(64, 'a'));
  CHECK_FALSE(readState(text, "of that"));
  for (std::size_t cut = 0; cut + 2 < text.size(); cut += 7)
    CHECK_FALSE(readState(text.substr(0, cut), "of this"));
  const auto with = [&](const std::string &from, const std::string &to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return readState(changed, "of this").has_value();
  };
  CHECK(with("1234", "1235"));
  CHECK_FALSE(with("SKILL.md", "../SKILL"));
  CHECK_FALSE(with("\"p\"", "\"/p\""));
  CHECK_FALSE(with("a.b/x:1", "a.b/X:1"));
  CHECK_FALSE(with("sha256:aa", "sha256:zz"));
  CHECK_FALSE(with("\"version\":1", "\"version\":2"));
}

TEST_CASE("what is stated of a skill is its artefact, and who has signed that") {
  const Settings settings(R"({"references":["a.b/c"]})");
  auto known = std::make_shared<Artefact>(*artefact("a.b/x:1", {"", "q"}));
  known->layers = {"sha256:" + std::string(64, 'e')};
  known->signer = "/etc/keys/release.pub";
  known->fetched = 1'000'000'000;
  auto other = std::make_shared<Artefact>(*artefact("a.b/y:2", {""}, 'b'));
  other->layers = {known->layers[0], known->layers[0]};
  const auto facts = nlohmann::json::parse(factsOf(*makeSnapshot({known, other}, settings)));
  CHECK(facts.at("*") == nlohmann::json{{"kind", "oci"}, {"integrity", "sha256"}});
  CHECK(facts.at("x") == nlohmann::json{{"reference", "a.b/x:1"},
                                        {"manifest_digest", "sha256:" + std::string(64, 'a')},
                                        {"archive_digest", known->layers[0]},
                                        {"path", "."},
                                        {"fetched_at", "2001-09-09T01:46:40Z"},
                                        {"signature", "trusted"},
                                        {"signer", "release.pub"}});
  CHECK(facts.at("x/q").at("path") == "q");
  CHECK(facts.at("y") == nlohmann::json{{"reference", "a.b/y:2"},
                                        {"manifest_digest", "sha256:" + std::string(64, 'b')},
                                        {"path", "."},
                                        {"signature", "unchecked"}});
}
