// SPDX-License-Identifier: Apache-2.0
// Tests that the documents of a source are held once, by all users.
#include "catch2.hpp"
#include "skills/source_skills.hpp"

#include <string>

using namespace skillhost;

namespace {

Document documentOf(const std::string &skill, const std::string &path,
                    const std::string &revision) {
  return {skill, path, revision, {}, UINT64_MAX, path == "SKILL.md", false};
}

SourceSkills read(PendingSkills pending) {
  for (const Document *const unread : pending.unread) {
    const Document &entry = *unread;
    const std::string name = entry.skill.substr(entry.skill.rfind('/') + 1);
    pending.skills.skills[entry.skill] =
        readSkill(pending.skills, entry, "---\nname: " + name + "\ndescription: D.\n---\nBody.\n",
                  {})
            .skill;
  }
  return std::move(pending.skills);
}

} // namespace

TEST_CASE("a copy of a list of documents changes with none of the others") {
  Documents first{documentOf("a", "SKILL.md", "1")};
  Documents second = first;
  CHECK(&first[0] == &second[0]);
  second.push_back(documentOf("a", "b.md", "1"));
  CHECK(first.size() == 1);
  CHECK(second.size() == 2);
  CHECK(Documents().empty());
  CHECK(Documents().begin() == Documents().end());
  CHECK(first == Documents{documentOf("a", "SKILL.md", "1")});
}

TEST_CASE("a skill holds the documents that its source lists, also after others changed") {
  const SourceSkills before = read(reuseUnchanged(
      "s",
      groupBySkill({"r1",
                    {documentOf("a", "SKILL.md", "1"), documentOf("b", "SKILL.md", "1"),
                     documentOf("b", "part.md", "1"), documentOf("b/inner", "SKILL.md", "1"),
                     documentOf("d", "SKILL.md", "1")},
                    {},
                    {}}),
      nullptr, {}));
  CHECK(&before.skills.at("a")->files[0] == &before.documents.at("a")[0]);
  CHECK(before.skills.at("b")->filePaths ==
        std::vector<std::string>{"SKILL.md", "inner/SKILL.md", "part.md"});
  CHECK(before.skills.at("b")->entry() == before.documents.at("b")[0]);
  Changes changes{"r2",
                  {documentOf("c", "SKILL.md", "1"), documentOf("b", "part.md", "2")},
                  {documentOf("b/inner", "SKILL.md", ""), documentOf("d", "SKILL.md", "")},
                  {}};
  const SourceDocuments listing = applyChanges(before, changes);
  CHECK(listing.documents ==
        std::map<std::string, Documents>{
            {"a", {documentOf("a", "SKILL.md", "1")}},
            {"b", {documentOf("b", "SKILL.md", "1"), documentOf("b", "part.md", "2")}},
            {"c", {documentOf("c", "SKILL.md", "1")}}});
  CHECK(&listing.documents.at("a")[0] == &before.documents.at("a")[0]);
  const SourceSkills after = read(reuseUnchanged("s", listing, &before, {}));
  CHECK(after.skills.at("a") == before.skills.at("a"));
  CHECK(&after.documents.at("a")[0] == &before.documents.at("a")[0]);
  CHECK(after.skills.at("b")->files.size() == 2);
  CHECK(after.documents.size() == 3);
}
