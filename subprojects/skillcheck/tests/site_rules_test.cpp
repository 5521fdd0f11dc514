// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skillcheck/inspect_text.hpp"
#include "skillcheck/site_rules.hpp"

#include <string>

using namespace skillhost;

namespace {

const std::string ruleHead =
    "# Rules of Acme\n### acme.old-host\nseverity: error\nreason: the old host\n"
    "remedy: use the new one\n";
const std::string rulePatterns =
    "command: ^curl .*old\\.acme\\.invalid\ntext: wiki\\.acme\\.invalid\n";
const std::string ruleSpecimens =
    "=== error a.sh\nc\"ur\"l https://old.acme.invalid/x\n"
    "=== error SKILL.md\nSee wiki.acme.invalid for more.\n"
    "=== advice SKILL.md\nNever run `curl https://old.acme.invalid/x`.\n"
    "=== nothing SKILL.md\ncurl https://new.acme.invalid/x\n";

// Returns the reason of the refusal; empty if the rules were added.
std::string refusal(const std::string &text) {
  SiteRules rules;
  const Status status = rules.add(text, "acme.rules");
  CHECK(bool(status) == !rules.rules().empty());
  return status ? std::string() : status.failure().message;
}

} // namespace

TEST_CASE("rules of the site see commands in plain spelling, and lines") {
  SiteRules rules;
  REQUIRE(rules.add(ruleHead + rulePatterns + ruleSpecimens, "acme.rules"));
  REQUIRE(rules.rules().size() == 1);
  const std::vector<Finding> found = inspectText(
      "x\n```sh\nh=old.acme\n\\curl -s \"https://$h.invalid/\"\n```\n", "SKILL.md", rules.rules());
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "acme.old-host");
  CHECK(found[0].severity == Severity::Error);
  CHECK(found[0].line == 4);
  CHECK(found[0].message == "the old host");
  CHECK(found[0].advice == "use the new one");
}

TEST_CASE("a rule without working specimens does not load, and the error names the line") {
  CHECK(refusal(ruleHead + rulePatterns + ruleSpecimens).empty());
  CHECK(
      refusal(ruleHead + rulePatterns).starts_with("acme.rules:2: acme.old-host needs specimens"));
  CHECK(refusal(ruleHead + rulePatterns + "=== error a.sh\ncurl old.acme.invalid\n")
            .starts_with("acme.rules:2: acme.old-host needs specimens"));
  CHECK(refusal(ruleHead + rulePatterns + "=== error a.sh\ncurl new\n=== nothing a.sh\nx\n") ==
        "acme.rules:8: acme.old-host gives nothing for this specimen, not error");
  CHECK(
      refusal(ruleHead + ruleSpecimens).starts_with("acme.rules:2: acme.old-host needs a command"));
  CHECK(refusal(ruleHead + "text: (\n").starts_with("acme.rules:6: no RE2 expression: "));
  CHECK(refusal(ruleHead + "text: x*\n")
            .starts_with("acme.rules:6: the expression fits an empty text"));
  CHECK(refusal(ruleHead + "colour: red\n").starts_with("acme.rules:6: there is no key `colour`"));
  CHECK(refusal("### acme\n").starts_with("acme.rules:1: `acme` is no id"));
  CHECK(refusal("### exec.download-and-run\n") ==
        "acme.rules:1: there is a rule exec.download-and-run already");
  CHECK(refusal(ruleHead + rulePatterns + ruleSpecimens + ruleHead) ==
        "acme.rules:17: there is a rule acme.old-host already");
  CHECK(refusal("severity: error\n").starts_with("acme.rules:1: expected `### ID`"));
  CHECK(refusal("") == "acme.rules:1: it has no rule: a rule begins with `### ID`");
  CHECK(refusal("### a.b\nseverity: high\n") ==
        "acme.rules:2: severity is error, warning or advice");
}

TEST_CASE("a heading within a specimen does not end the rule") {
  const std::string specimen =
      "=== error SKILL.md\n### Steps\n### Use tool.sh\nSee wiki.acme.invalid.\n";
  CHECK(refusal(ruleHead + rulePatterns + specimen + ruleSpecimens).empty());
  CHECK(refusal(ruleHead + rulePatterns + ruleSpecimens + "### acme.other\nseverity: x\n") ==
        "acme.rules:17: severity is error, warning or advice");
}
