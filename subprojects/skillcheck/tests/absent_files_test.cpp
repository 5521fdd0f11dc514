// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skillcheck/absent_files.hpp"

#include <string>

using namespace skillhost;

namespace {

// Returns the paths reported as missing. docs/ and docs/a.md exist.
std::vector<std::string> missed(const std::string &text, Naming naming = Naming::Anywhere) {
  std::vector<std::string> out;
  for (const Finding &finding :
       findAbsentFiles(text, "SKILL.md", naming, {"pdf", "pdf-forms"}, [](const std::string &path) {
         return NamedPlace{path == "docs" || path == "docs/a.md" || path == "../shared/there.md",
                           path.starts_with("../")};
       }))
    out.push_back(finding.message.substr(1, finding.message.find('`', 1) - 1));
  return out;
}
using Paths = std::vector<std::string>;

} // namespace

TEST_CASE("links, commands and words that name the skill's own files are looked for") {
  CHECK(missed("[a](docs/a.md) [b](docs/b.md#top) [c](more.md)") == Paths{"docs/b.md", "more.md"});
  CHECK(missed("Run `python scripts/x.py`, see docs/b.md.") == Paths{"scripts/x.py", "docs/b.md"});
  CHECK(missed("```sh\nbash ./scripts/x.sh\n```\n") == Paths{"scripts/x.sh"});
  CHECK(missed("cat ${CLAUDE_SKILL_DIR}/any/b.md") == Paths{"any/b.md"});
  CHECK(missed("cat ${CLAUDE_SKILL_DIR}0/../b.md ${CLAUDE_SKILL_DIR}0/%").empty());
  CHECK(missed("[twice](b.md) [twice](b.md)") == Paths{"b.md"});
  CHECK(missed("[up](../other/SKILL.md)") == Paths{"../other/SKILL.md"});
}

TEST_CASE("a path in the wrong case is told what is there") {
  const auto advice = [](const std::string &found) {
    return findAbsentFiles("[a](docs/A.md)", "SKILL.md", Naming::Anywhere, {"pdf", {}},
                           [&](const std::string &) { return NamedPlace{false, false, found}; })
        .at(0)
        .advice;
  };
  CHECK(advice("a.md") == "did you mean `a.md`? The case of letters counts");
  CHECK(advice("").starts_with("add the file"));
}

TEST_CASE("a path that leaves the skill is told as that") {
  const auto codes = [](const std::string &text) {
    std::string all;
    for (const Finding &finding : findAbsentFiles(
             text, "SKILL.md", Naming::Anywhere, {"pdf", "pdf-forms"}, [](const std::string &path) {
               return NamedPlace{path == "../shared/there.md" || path == "scripts/a.py",
                                 path.starts_with("../")};
             }))
      all += finding.code + ' ';
    return all;
  };
  CHECK(codes("[up](../other.md)") == "path-leaves-skill ");
  CHECK(codes("cat ../shared/there.md") == "path-leaves-skill ");
  CHECK(codes("See ../shared/not.md and `../../x`.") == "path-leaves-skill path-leaves-skill ");
  CHECK(codes("```sh\npython ../../pptx/scripts/a.py\n```\n") == "path-leaves-skill ");
  // A program in an example may belong to the reader's project.
  CHECK(codes("```ts\nimport '../shared/not.ts'\ncd ../x\n```\n") == "");
  CHECK(
      codes(
          "Go up by `../..`, or ../; not ../<name>.md, ../foo.md, ../{a,b} or ../../etc/passwd") ==
      "");
  CHECK(codes("See ~/.claude/skills/other/b.py.") == "path-leaves-skill ");
  CHECK(codes("```sh\nsh $HOME/.agents/skills/other/scripts/run\n```\n") == "path-leaves-skill ");
  for (const std::string own : {"pdf", "pdf-forms", "my-skill", "SKILL_NAME", "<other>"})
    CHECK(codes("See ~/.claude/skills/" + own + "/b.py.") == "");
  CHECK(codes("See ~/.claude/skills/, ~/.claude/skills/other and ~/skills/other/b.py.") == "");
  CHECK(codes("bash ${CLAUDE_PLUGIN_ROOT}/hooks/a.sh") == "path-leaves-skill ");
  CHECK(codes("${CLAUDE_PLUGIN_ROOT}/skills/pdf/scripts/a.py $SKILL_DIR/scripts/a.py") == "");
  CHECK(codes("{baseDir}/scripts/b.py") == "file-missing ");
  CHECK(codes(R"(pwsh .\scripts\b.ps1)") == "file-missing ");
}

TEST_CASE("what belongs to the reader, examples and placeholders are passed over") {
  CHECK(missed("Edit src/main.py and package.json, and/or app/b.ts.").empty());
  CHECK(missed("[text](url) [t](https://host.example/scripts/b.md) [t](#top) [t](/etc/b.md)")
            .empty());
  CHECK(missed("references/<name>.md scripts/*.py references/foo-{x}.md path/to/scripts/b.py")
            .empty());
  CHECK(missed("`[text](b.md)`\n```md\n[text](b.md)\n```\n").empty());
  CHECK(missed("docs/v1.2 and scripts/ and references").empty());
  CHECK(missed("See scripts/x.py and ../x/b.md.", Naming::LinksAlone).empty());
  CHECK(missed("See [x](scripts/x.py).", Naming::LinksAlone) == Paths{"scripts/x.py"});
}

TEST_CASE("a missing file is a warning with its place") {
  const std::vector<Finding> found =
      findAbsentFiles("---\nname: a\n---\n\nSee [b](b.md).\n", "SKILL.md", Naming::Anywhere,
                      {"a", {}}, [](const std::string &) { return NamedPlace{}; });
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::Warning);
  CHECK((found[0].line == 5 && found[0].column == 9));
}
