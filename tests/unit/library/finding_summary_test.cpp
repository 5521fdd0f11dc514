// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skills/finding_summary.hpp"

using namespace skillhost;

namespace {

Finding finding(std::size_t line, const std::string &code = "name-invalid") {
  return {Severity::Warning, code, "SKILL.md", line, 1, "it breaks a rule", "mend it"};
}

} // namespace

TEST_CASE("a finding alone has its advice, several have a line each without it") {
  FindingSummary summary("broken rules");
  CHECK(summary.lines().empty());
  summary.add(finding(2), "a: ");
  REQUIRE(summary.lines().size() == 1);
  CHECK(summary.lines()[0] ==
        "a: SKILL.md:2:1: warning: it breaks a rule [name-invalid]\n  mend it");
  summary.add(finding(3));
  REQUIRE(summary.lines().size() == 2);
  CHECK(summary.lines()[0] == "a: SKILL.md:2:1: warning: it breaks a rule [name-invalid]");
  CHECK(summary.lines()[1] == "SKILL.md:3:1: warning: it breaks a rule [name-invalid]");
}

TEST_CASE("the line about folders of copies says how to leave them out, also among others") {
  FindingSummary summary("findings of the catalogue");
  summary.add(finding(1));
  summary.add(finding(2, sideFolderCode));
  CHECK(summary.lines().back() == "SKILL.md:2:1: warning: it breaks a rule; mend it [side-folder]");
}

TEST_CASE("the first 20 findings are named, the others are counted by their codes") {
  FindingSummary summary("broken rules");
  for (std::size_t line = 1; line <= 20; ++line) summary.add(finding(line));
  CHECK(summary.lines().size() == 20);
  for (std::size_t line = 21; line <= 24; ++line) summary.add(finding(line));
  summary.add(finding(25, "encoding-invalid"));
  REQUIRE(summary.lines().size() == 21);
  CHECK(summary.lines()[19].starts_with("SKILL.md:20:1: "));
  CHECK(summary.lines()[20] == "and 5 more broken rules (encoding-invalid 1, name-invalid 4); "
                               "skillhost validate names all");
}

TEST_CASE("the command that names the rest fits what is counted") {
  FindingSummary summary("skills that are not served");
  Finding refused = finding(1, "refused");
  refused.command = "filter --check";
  for (std::size_t times = 1; times <= 21; ++times) summary.add(refused);
  CHECK(summary.lines().back().ends_with("skillhost filter --check names all"));
  summary.add(finding(22));
  CHECK(summary.lines().back().ends_with("skillhost validate names all"));
}
