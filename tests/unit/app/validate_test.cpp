// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "commands/skill_files.hpp"
#include "commands/validate.hpp"
#include "made_up.hpp"

using namespace made_up;

namespace {

constexpr const char *good =
    "---\nname: pdf\ndescription: Fills in forms in PDF files. Use it for forms.\n---\n# PDF\n";
constexpr const char *bad = "---\nname: broken\n---\n# No description\n";

ValidationReport report(const Machine &machine, const std::vector<std::string> &names,
                        ReportForm form = ReportForm::Text) {
  std::vector<std::string> paths;
  for (const std::string &name : names) paths.push_back(machine.folder + '/' + name);
  return validatePaths(paths, Strictness::Lenient, form, machine.folder);
}

} // namespace

TEST_CASE("a document, a skill's folder and a tree are checked alike") {
  const Machine machine;
  machine.write("tree/pdf/SKILL.md", good);
  for (const char *path : {"tree/pdf/SKILL.md", "tree/pdf", "tree"}) {
    const ValidationReport found = report(machine, {path});
    INFO(found.text);
    CHECK(found.skills == 1);
    CHECK(found.errors == 0);
    CHECK(contains(found.text, "1 skill checked: 0 errors, 0 warnings\n"));
  }
}

TEST_CASE("each finding names its file, and errors are counted") {
  const Machine machine;
  machine.write("tree/pdf/SKILL.md", good);
  machine.write("tree/broken/SKILL.md", bad);
  const ValidationReport found = report(machine, {"tree"});
  INFO(found.text);
  CHECK(found.skills == 2);
  CHECK(found.errors == 1);
  CHECK(found.text.substr(0, 21) == "tree/broken/SKILL.md:");
  CHECK(contains(found.text, "error: "));
  CHECK(contains(found.text, "2 skills checked: 1 error, "));
}

TEST_CASE("findings as JSON") {
  const Machine machine;
  machine.write("broken/SKILL.md", bad);
  const Result<Json> json = parseJson(report(machine, {"broken"}, ReportForm::Json).text);
  REQUIRE(json);
  CHECK((*json)["skills"] == 1);
  CHECK((*json)["errors"] == 1);
  const Json &finding = (*json)["findings"].at(0);
  CHECK(finding["severity"] == "error");
  CHECK(finding["file"] == "broken/SKILL.md");
  CHECK_FALSE(finding["code"].get<std::string>().empty());
}

TEST_CASE("a path without a skill is an error") {
  const Machine machine;
  machine.write("empty/readme.txt", "x");
  CHECK(contains(report(machine, {"empty"}).text, "empty: error: there is no SKILL.md"));
  const ValidationReport found = report(machine, {"missing"});
  CHECK(found.errors == 1);
  CHECK(contains(found.text, "missing: error: cannot be read: No such file"));
}

TEST_CASE("every folder with an entry counts, hidden ones and links do not") {
  const Machine machine;
  const std::string outer = machine.write("t/a/SKILL.md", good);
  machine.write("t/a/skill.md", good);
  const std::string inner = machine.write("t/a/b/Skill.MD", good);
  machine.write("t/.git/SKILL.md", good);
  machine.write("t/notes/SKILL.md.txt", good);
  std::filesystem::create_directory_symlink(machine.folder + "/t", machine.folder + "/t/loop");
  const SkillFiles found = findSkillFiles(machine.folder + "/t", HiddenFolders::PassOver);
  CHECK(found.documents == std::vector<std::string>{outer, inner});
  CHECK(found.unreadable.empty());
  const std::string hidden = machine.write("t/.team/SKILL.md", good);
  CHECK(findSkillFiles(machine.folder + "/t", HiddenFolders::PassOver).documents.size() == 2);
  CHECK(findSkillFiles(machine.folder + "/t", HiddenFolders::LookInto).documents ==
        std::vector<std::string>{hidden, outer, inner});
}
