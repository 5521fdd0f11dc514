// SPDX-License-Identifier: Apache-2.0
// Tests what is read of the skills that a server lists, and of those that it leaves out.
#include "catch2.hpp"
#include "mcp_client/listed_skill.hpp"

#include <functional>
#include <string>

using namespace skillhost;

namespace {

const std::string digest = "sha256:" + std::string(64, 'a');

Json entry() {
  return {{"uri", "skill://team/pdf/SKILL.md"},
          {"frontmatter", {{"name", "pdf"}, {"description", "d"}}},
          {"resources",
           {{{"uri", "skill://team/pdf/SKILL.md"}, {"digest", digest}, {"size", 3U}},
            {{"uri", "skill://team/pdf/a%20b/c.md"}, {"digest", digest}}}}};
}

std::string wrong(const std::function<void(Json &)> &change) {
  Json changed = entry();
  change(changed);
  ListedSkill skill;
  return readListedSkill(changed, skill);
}

} // namespace

TEST_CASE("an entry has a name, a folder and files with digests") {
  ListedSkill skill;
  REQUIRE(readListedSkill(entry(), skill).empty());
  CHECK((skill.name == "pdf" && skill.folder == "skill://team/pdf"));
  REQUIRE(skill.files.size() == 2);
  CHECK(skill.files["SKILL.md"].size == 3);
  CHECK(skill.files["a b/c.md"].uri == "skill://team/pdf/a%20b/c.md");
  CHECK(skill.files["a b/c.md"].digest == std::string(64, 'a'));
  CHECK_FALSE(skill.files["a b/c.md"].size);
}

TEST_CASE("what is no skill is named by its reason") {
  CHECK(wrong([](Json &one) { one["frontmatter"].erase("name"); }) ==
        "the server does not say its name");
  CHECK(wrong([](Json &one) { one["uri"] = "skill://team/pdf"; }) ==
        "its URI does not end with /SKILL.md");
  CHECK(wrong([](Json &one) { one["resources"] = "dynamic"; }) ==
        "the server does not list its files");
  CHECK(wrong([](Json &one) { one["resources"][1]["uri"] = "skill://team/pdfs/x"; }) ==
        "a file of it lies outside of the skill");
  CHECK(wrong([](Json &one) { one["resources"][1]["uri"] = "skill://team/pdf/%zz"; }) ==
        "the URI of a file is wrong: skill://team/pdf/%zz");
  CHECK(wrong([](Json &one) { one["resources"][1]["digest"] = "md5:1"; }) ==
        "the server gives no SHA-256 digest of a b/c.md");
}

TEST_CASE("content is one text or one blob") {
  const auto content = [](const Json &result) { return contentIn({result, std::nullopt}); };
  CHECK(*content({{"contents", {{{"text", "a\r\nb"}}}}}) == "a\r\nb");
  CHECK(*content({{"contents", {{{"blob", "AP8="}}}}}) == std::string("\0\xFF", 2));
  CHECK_FALSE(content({{"contents", {{{"blob", "A"}}}}}));
  CHECK_FALSE(content({{"contents", Json::array()}}));
  CHECK_FALSE(content({{"contents", {{{"text", "a"}}, {{"text", "b"}}}}}));
  const auto refused = contentIn({nullptr, Conversation::Refusal{-32602, "no such file", {}}});
  CHECK(refused.failure().message == "the server refuses to send it: no such file");
}

TEST_CASE("a server without the extension is named as such") {
  CHECK(requireSkillsExtension({{"extensions", {{skillsExtension, Json::object()}}}}));
  CHECK_FALSE(requireSkillsExtension({{"resources", Json::object()}}));
  CHECK_FALSE(requireSkillsExtension(nullptr));
}

TEST_CASE("skills that a skillhost leaves out are known by name, by folder, or not at all") {
  const auto read = [](const Json &failures) {
    return readMissingSkills({{"org.skillhost/failures", failures}});
  };
  CHECK(read(Json::array()).why.empty());
  const MissingSkills one =
      read({{{"skill", "a"}, {"uri", "skill://t/a"}, {"reason", "unreadable"}},
            {{"more_skills", 3}, {"uri", "skill://t/"}}});
  REQUIRE((one.skills.size() == 1 && one.folders.size() == 1));
  CHECK((one.skills[0].uri == "skill://t/a" && one.folders[0] == "skill://t/" && one.why.empty()));
  CHECK(read({{{"source", "git"}}}).why == "a source of the server failed: git");
  CHECK(read({{{"more_skills", 3}}}).why == missingMoreWords);
  CHECK_FALSE(read(7).why.empty());
  CHECK_FALSE(readMissingSkills({{"org.skillhost/loading", true}}).why.empty());
}
