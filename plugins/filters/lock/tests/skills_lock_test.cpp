// SPDX-License-Identifier: Apache-2.0
// Tests the text of skills.lock, and the texts about differences.
#include "catch2.hpp"
#include "lock/skills_lock.hpp"

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

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

std::string why(const std::string &text) {
  const Result<SkillsLock> read = SkillsLock::parse(text, "my.lock");
  return read ? "" : read.failure().message;
}

} // namespace

TEST_CASE("a lock is read as it was written, and equal locks are equal texts") {
  const std::string text = example().text();
  const Result<SkillsLock> read = SkillsLock::parse(text, "my.lock");
  REQUIRE(read);
  CHECK(*read == example());
  CHECK(read->text() == text);
  CHECK(
      contains(text, "          \"SKILL.md\": {\"size\": 12, \"blake3\": \"" + digest + "\"},\n"));
  CHECK(contains(text, "\"executable\": true}"));
  CHECK(SkillsLock::parse(SkillsLock{}.text(), "my.lock"));
}

TEST_CASE("what is no lock is refused by name") {
  CHECK(contains(why("{"), "my.lock: the file is damaged"));
  CHECK(contains(why("[]"), "the file is not a skills.lock"));
  CHECK(contains(why(R"({"skills.lock": 2, "sources": {}})"), "newer skillhost (version 2)"));
  CHECK(contains(why(R"({"skills.lock": 1})"), "sources is not an object"));
  CHECK(contains(why(R"({"skills.lock": 1, "sources": {"a": {"skills": {}}}})"),
                 "sources.a.plugin: is not as skillhost lock writes it"));
  const std::string shortened = example().text().replace(example().text().find(digest), 1, "");
  CHECK(contains(why(shortened), "sources.team.skills.pdf.SKILL.md: is not"));
  // A truncated lock is refused.
  const std::string text = example().text();
  for (std::size_t size = 0; size + 2 < text.size(); ++size)
    REQUIRE(!SkillsLock::parse(text.substr(0, size), "my.lock"));
}

TEST_CASE("a listing is held to paths, sizes and the right to be run") {
  const LockedSkill locked = example().sources["team"].skills["pdf"];
  std::vector<Document> listed{{"pdf", "SKILL.md", "1", {}, 12, true, false},
                               {"pdf", "run \"it\".sh", "1", {}, UINT64_MAX, false, true}};
  CHECK(differenceOf(locked, listed).empty());
  listed[0].length = 13;
  listed[1].executable = false;
  CHECK(differenceOf(locked, listed) ==
        "SKILL.md has other bytes; run \"it\".sh is no longer executable");
  listed.pop_back();
  for (const char *path : {"a", "b", "c", "d"})
    listed.push_back({"pdf", path, "1", {}, 1, false, false});
  CHECK(differenceOf(locked, listed) == "SKILL.md has other bytes; a is new; b is new; and 3 more");
}

TEST_CASE("a plugin is named without the folder its file is in") {
  CHECK(pluginName("filesystem") == "filesystem");
  CHECK(pluginName("org.example.gitlab") == "org.example.gitlab");
  CHECK(pluginName("/opt/plugins/gitlab.so") == "gitlab");
}
