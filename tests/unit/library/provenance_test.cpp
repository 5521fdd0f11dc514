// SPDX-License-Identifier: Apache-2.0
// Tests how the facts of all skills and of one are joined, and which of them stay on this machine.
#include "catch2.hpp"
#include "skills/builder.hpp"
#include "skills/provenance.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

using namespace skillhost;

namespace {

struct Stated {
  std::string common, own, folder;
  std::string path = "team/pdf";
  std::string location{}; // of its SKILL.md
};

std::string facts(const Stated &stated, LocalPaths paths = LocalPaths::ForReader) {
  auto skills = std::make_shared<SourceSkills>();
  skills->source = "far";
  if (!stated.common.empty()) skills->facts.emplace("*", stated.common);
  auto skill = std::make_shared<Skill>();
  skill->id = "far/" + stated.path;
  skill->source = "far";
  skill->path = stated.path;
  skill->uri = "skill://" + skill->id;
  skill->fields.name = skill->fields.toolName = "pdf";
  skill->facts = stated.own;
  skill->folder = stated.folder;
  if (!stated.location.empty()) {
    Document entry;
    entry.skill = stated.path;
    entry.path = "SKILL.md";
    entry.location = stated.location;
    entry.entry = true;
    skill->files = {entry};
    skill->filePaths = {"SKILL.md"};
  }
  skills->skills[stated.path] = skill;
  const auto catalogue = buildCatalogue(1, {{"far", skills, {}}}, nullptr, nullptr);
  const std::string text = factsOf(*catalogue, *catalogue->entries().front().skill, paths);
  if (!text.empty()) CHECK(parseJson(text)); // no name twice
  return text;
}

} // namespace

TEST_CASE("what is stated of one skill comes before what is stated of all") {
  CHECK(facts({"", "", ""}).empty());
  CHECK(facts({"", R"({"signature":"trusted"})", ""}) == R"({"signature":"trusted"})");
  CHECK(facts({R"({"kind":"git"})", "", ""}) == R"({"kind":"git"})");
  CHECK(facts({R"({"kind":"git","n":3})", R"({"a":true})", ""}) ==
        R"({"a":true,"kind":"git","n":3})");
  CHECK(facts({"no object", R"({"a":true})", ""}) == R"({"a":true})");
}

TEST_CASE("the path that all have in common is continued, unless the skill has one of its own") {
  CHECK(facts({R"({"path":"tools","kind":"git"})", "", ""}) ==
        R"({"kind":"git","path":"tools/team/pdf"})");
  for (const char *top : {R"({"path":"."})", R"({"path":""})"})
    CHECK(facts({top, "", ""}) == R"({"path":"team/pdf"})");
  CHECK(facts({R"({"path":"tools"})", R"({"path":"."})", ""}) == R"({"path":"."})");
  // A name that ends in "path", and a text that looks like the member, are no path of the skill.
  CHECK(facts({R"({"path":"tools"})", R"({"x.path":"a","b":"\"path\":\"c\""})", ""}) ==
        R"({"x.path":"a","b":"\"path\":\"c\"","path":"tools/team/pdf"})");
  CHECK(facts({R"({"path":"a \"b\""})", "", "", "c\\d"}) == R"({"path":"a \"b\"/c\\d"})");
}

TEST_CASE("paths of this machine are for those who are told of them") {
  const Stated stated{R"({"kind":"git","repository":"file:///srv/git/skills"})",
                      R"({"origin":"/home/ada/skills","signer":"ada"})", "/srv/skills/pdf"};
  CHECK(facts(stated) == R"({"origin":"/home/ada/skills","signer":"ada","kind":"git",)"
                         R"("repository":"file:///srv/git/skills","folder":"/srv/skills/pdf"})");
  CHECK(facts(stated, LocalPaths::Hidden) == R"({"signer":"ada","kind":"git"})");
  CHECK(facts({"", R"({"origin":"/home/ada"})", "/srv"}, LocalPaths::Hidden).empty());
  CHECK(facts({"", R"({"text":"a \"x\":\"/b\""})", ""}, LocalPaths::Hidden) ==
        R"({"text":"a \"x\":\"/b\""})");
}

TEST_CASE("an operator is told where a skill lies, though its readers get a copy") {
  const Stated withheld{R"({"kind":"folder","repository":"file:///srv/git"})", "", "", "team/pdf",
                        "/srv/skills/pdf/SKILL.md"};
  CHECK(facts(withheld, LocalPaths::All) ==
        R"({"kind":"folder","repository":"file:///srv/git","folder":"/srv/skills/pdf"})");
  CHECK(facts(withheld) == R"({"kind":"folder","repository":"file:///srv/git"})");
  CHECK(facts(withheld, LocalPaths::Hidden) == R"({"kind":"folder"})");
  Stated remote = withheld;
  remote.location = "https://example.org/pdf/SKILL.md";
  CHECK(facts(remote, LocalPaths::All) == facts(withheld));
}

TEST_CASE("what a source states of all is nothing of a skill that is called so") {
  CHECK(facts({R"({"kind":"git","path":"."})", "", "", "*"}) == R"({"kind":"git","path":"*"})");
}
