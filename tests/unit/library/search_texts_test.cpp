// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skills/search_texts.hpp"

#include <set>
#include <string>

using namespace skillhost;

TEST_CASE("a title is a part of the name that is searched, and told beside it") {
  Skill skill;
  skill.source = "s";
  skill.fields.name = "pdf";
  CHECK(searchTextsOf(skill).name == "pdf");
  CHECK(searchTextsOf(skill).attributes == R"({"source":"s"})");
  skill.fields.title = "Handle documents";
  CHECK(searchTextsOf(skill).name == "pdf Handle documents");
  CHECK(searchTextsOf(skill).attributes == R"({"source":"s","title":"Handle documents"})");
  skill.fields.title = "pdf";
  CHECK(searchTextsOf(skill).name == "pdf");
  CHECK(searchTextsOf(skill).attributes == R"({"source":"s"})");
}

TEST_CASE("the search revision is another one whenever what is searched is, and no other time") {
  const auto revisionOf = [](auto change) {
    Skill skill;
    skill.id = "s/pdf";
    skill.source = "s";
    skill.fields.name = "pdf";
    skill.fields.description = "Merges files";
    skill.fields.category = "documents";
    skill.fields.keywords = {"a", "b"};
    skill.entryDigest = "d1";
    skill.bodyOffset = 10;
    change(skill);
    return searchRevisionOf(skill);
  };
  const std::string before = revisionOf([](Skill &) {});
  // The revision is the same in every run and on every machine, because indexes on disks were filed
  // under it.
  CHECK(before == "TK1kDCrVgfbA6i8");
  CHECK(revisionOf([](Skill &skill) { skill.files = {{"pdf", "SKILL.md", "other"}}; }) == before);
  CHECK(revisionOf([](Skill &skill) { skill.folder = "/elsewhere"; }) == before);
  const std::set<std::string> others{
      before,
      revisionOf([](Skill &skill) { skill.entryDigest = "d2"; }),
      revisionOf([](Skill &skill) { skill.bodyOffset = 11; }),
      revisionOf([](Skill &skill) { skill.source = "t"; }),
      revisionOf([](Skill &skill) { skill.fields.name = "pdfs"; }),
      revisionOf([](Skill &skill) { skill.fields.title = "Title"; }),
      revisionOf([](Skill &skill) { skill.fields.description += "."; }),
      revisionOf([](Skill &skill) { skill.fields.category.clear(); }),
      revisionOf([](Skill &skill) { skill.fields.keywords = {"ab"}; }),
      revisionOf([](Skill &skill) { skill.fields.keywords = {"b", "a"}; }),
  };
  CHECK(others.size() == 10);
}
