// SPDX-License-Identifier: Apache-2.0
// Tests the exit code, and the words about what was done.
#include "catch2.hpp"
#include "made_source.hpp"
#include "report.hpp"

using namespace skillhost;
using namespace skillhost::sync;

namespace {

SyncReport reportOf(Action action, Effect effect = Effect::Apply) {
  SyncReport report;
  report.effect = effect;
  SyncedSkill skill;
  skill.plan.name = "pdf";
  skill.plan.action = action;
  skill.plan.differences = {"SKILL.md differs"};
  report.folders.push_back({{"/skills", {"codex", "agents"}, "/link"}, {{skill}, false}, ""});
  return report;
}

} // namespace

TEST_CASE("the exit code says whether folders hold what the source has") {
  for (const Action action : {Action::Write, Action::Update, Action::Remove, Action::Forget}) {
    CHECK(exitCodeOf(reportOf(action)) == 0);
    CHECK(exitCodeOf(reportOf(action, Effect::OnlyPlan)) == 3);
  }
  for (const Effect effect : {Effect::Apply, Effect::OnlyPlan}) {
    CHECK(exitCodeOf(reportOf(Action::None, effect)) == 0);
    for (const Action action : {Action::LeftAlone, Action::Taken, Action::KeptUnoffered})
      CHECK(exitCodeOf(reportOf(action, effect)) == 3);
  }
  SyncReport report = reportOf(Action::None);
  report.leftOut = {{"Bad", "no agent takes this name"}};
  CHECK(exitCodeOf(report) == 3);
  report.whyIncomplete = "the source team failed";
  CHECK(exitCodeOf(report) == 1);
  report = reportOf(Action::None);
  report.folders.front().outcome.skills.front().failure = "full";
  CHECK(exitCodeOf(report) == 1);
  report = reportOf(Action::LeftAlone);
  report.folders.front().failure = "read-only";
  CHECK(exitCodeOf(report) == 1);
}

TEST_CASE("a report says what earlier rounds have done") {
  const auto skillOf = [](const std::string &name, Action action, const std::string &failure = {}) {
    SyncedSkill skill;
    skill.plan.name = name;
    skill.plan.action = action;
    skill.failure = failure;
    return skill;
  };
  SyncReport first, second;
  first.folders.push_back({{"/skills", {}, ""},
                           {{skillOf("a", Action::Write), skillOf("b", Action::Remove),
                             skillOf("c", Action::Update, "stale"), skillOf("d", Action::Update),
                             skillOf("e", Action::None)},
                            true},
                           ""});
  second.folders.push_back({{"/skills", {}, ""},
                            {{skillOf("a", Action::None), skillOf("c", Action::Update),
                              skillOf("d", Action::KeptUnoffered), skillOf("e", Action::None)},
                             false},
                            ""});
  CHECK(hasChanged(first));
  CHECK(!hasChanged(reportOf(Action::None)));
  CHECK(!hasChanged(reportOf(Action::Write, Effect::OnlyPlan)));
  const SyncReport both = afterEarlier(second, first);
  CHECK(actionsIn(both.folders.front().outcome) ==
        std::map<std::string, Action>{{"a", Action::Write},
                                      {"b", Action::Remove},
                                      {"c", Action::Update},
                                      {"d", Action::KeptUnoffered},
                                      {"e", Action::None}});
  CHECK(failuresIn(both.folders.front().outcome).empty());
  second.folders.front() = {{"/skills", {}, ""}, {}, "full"};
  const SyncReport failed = afterEarlier(second, first);
  CHECK(exitCodeOf(failed) == 1);
  CHECK(asText(failed).find("failed: full\n  written: a\n") != std::string::npos);
}

TEST_CASE("people and programs get the same facts") {
  SyncReport report = reportOf(Action::LeftAlone);
  report.leftOut = {{"Bad\x1b[2J", "no"}};
  const std::string text = asText(report);
  CHECK(text == "codex, agents: /skills (through /link)\n"
                "  changed here: pdf: SKILL.md differs\n"
                "  1 changed here\n"
                "left out: Bad\\x1b[2J: no\n");
  const Json json = asJson(report);
  CHECK(json["folders"][0]["skills"][0]["action"] == "changed");
  CHECK(json["folders"][0]["skills"][0]["differences"] == Json::array({"SKILL.md differs"}));
  CHECK(json["left_out"][0]["name"] == "Bad\x1b[2J");
  CHECK(asText(reportOf(Action::Write, Effect::OnlyPlan)).find("would be written: pdf\n") !=
        std::string::npos);
}
