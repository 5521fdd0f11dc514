// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skillmd/document_choice.hpp"

#include <string>
#include <vector>

using namespace skillhost;

TEST_CASE("a document is known by every path that is printed, and nothing else is") {
  const std::vector<std::string> paths{"SKILL.md", "a b.md", "docs/[id].md", "docs/x.md",
                                       "docs2/x.md"};
  const PlacedFiles skill{"skill://s/pdf", "/s/pdf", paths};
  const auto chosen = [&](const char *path, bool here = true) {
    const Result<DocumentChoice> choice = chooseDocuments(skill, path, here);
    return choice ? choice->files : std::vector<std::size_t>{};
  };
  using Files = std::vector<std::size_t>;
  for (const char *path : {"a b.md", "a%20b.md", "./a b.md", "docs/../a b.md", "/s/pdf/a b.md",
                           "skill://s/pdf/a%20b.md", "skill://s/pdf/a b.md", "a b.md#top",
                           "/s/pdf//a b.md:12:3", "skill://s/pdf/a%20b.md#x"})
    CHECK(chosen(path) == Files{1});
  CHECK(chosen("skill://s/pdf/docs/%5Bid%5D.md") == Files{2});
  for (const char *path : {"docs", "docs/", "/s/pdf/docs", "skill://s/pdf/docs/", "docs/*",
                           "/s/pdf/docs/*.md", "./docs/*.md", "skill://s/pdf/docs/*.md"})
    CHECK(chosen(path) == Files{2, 3});
  CHECK(chooseDocuments(skill, "docs/", true)->folder);
  CHECK_FALSE(chooseDocuments(skill, "docs/*", true)->folder);
  for (const char *path : {"", ".", "./", "/s/pdf", "/s/pdf/", "skill://s/pdf"})
    CHECK(chosen(path).size() == 5);
  for (const char *path : {"..", "/", "/s", "/s/pdf2/a b.md", "skill://s/pdf2/x.md", "skill://s",
                           "../pdf/a b.md", "/s/pdf/../x", "doc", "%", "#", ":1", "docs/x.md/"})
    CHECK(chosen(path).empty());
  CHECK(chosen("/s/pdf/a b.md", false).empty()); // a reader elsewhere cannot use the skill's folder
  // Commands are printed to such a reader in this form.
  CHECK(chosen("${CLAUDE_SKILL_DIR}/a b.md:3", false) == Files{1});
  CHECK(chosen("${CLAUDE_SKILL_DIR}/docs/*.md", false) == Files{2, 3});
  CHECK(chosen("${CLAUDE_SKILL_DIR}", false).size() == 5);
  for (const char *path : {"${CLAUDE_SKILL_DIR}/../pdf2/x.md", "${CLAUDE_SKILL_DIR}a b.md",
                           "${CLAUDE_SKILL_DIR}/${CLAUDE_SKILL_DIR}/a b.md"})
    CHECK(chosen(path, false).empty());
}

TEST_CASE("SKILL.md is known by this name, whatever the case of its letters") {
  const std::vector<std::string> paths{"a.md", "skill.md"};
  const PlacedFiles skill{"skill://s/pdf", "", paths, "skill.md"};
  CHECK(skill.at("SKILL.md") == 1);
  CHECK(skill.at("skill.md") == 1);
  CHECK(skill.at("Skill.md") == PlacedFiles::npos);
  const std::vector<std::string> none;
  CHECK(PlacedFiles{"", "", none}.at("SKILL.md") == PlacedFiles::npos);
}
