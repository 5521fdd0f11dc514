// SPDX-License-Identifier: Apache-2.0
// Tests rules of trust against every state that a skill can have.
#include "catch2.hpp"
#include "review/trust.hpp"

using namespace skillhost;

namespace {

constexpr std::int64_t today = 1'000'000;
using When = std::vector<TrustCondition>;

TrustRule rule(TrustAction action, When when = {}, FindingLevel findings = FindingLevel::None,
               std::vector<std::string> sources = {}) {
  return {std::move(sources), action, std::move(when), findings};
}

Decision decision(Verdict verdict, const std::string &digest) {
  Decision out;
  out.verdict = verdict;
  out.digest = digest;
  out.who = "ada";
  out.when = 1;
  return out;
}

const Examined plain{"blake3:a", false, std::nullopt, 0, {}};

TrustAction actionOf(const TrustRule &one, const Examined &examined, const Decision *decided) {
  return applyRules({one}, examined, decided, {}, today).action;
}

} // namespace

TEST_CASE("each condition holds for what it names alone") {
  Decision same = decision(Verdict::Approve, "blake3:a"),
           other = decision(Verdict::Approve, "blake3:b"), over = same;
  over.expires = today;
  const TrustRule isNew = rule(TrustAction::Quarantine, {TrustCondition::New}),
                  isChanged = rule(TrustAction::Quarantine, {TrustCondition::Changed}),
                  isUnsigned = rule(TrustAction::Quarantine, {TrustCondition::Unsigned}),
                  always = rule(TrustAction::Quarantine);
  CHECK(actionOf(isNew, plain, nullptr) == TrustAction::Quarantine);
  CHECK(actionOf(isNew, plain, &same) == TrustAction::Serve);
  CHECK(actionOf(isNew, plain, &other) == TrustAction::Serve);
  CHECK(actionOf(isNew, plain, &over) == TrustAction::Quarantine);
  CHECK(actionOf(isChanged, plain, nullptr) == TrustAction::Serve);
  CHECK(actionOf(isChanged, plain, &same) == TrustAction::Serve);
  CHECK(actionOf(isChanged, plain, &other) == TrustAction::Quarantine);
  CHECK(actionOf(isChanged, plain, &over) == TrustAction::Quarantine);
  CHECK(actionOf(isUnsigned, plain, nullptr) == TrustAction::Quarantine);
  CHECK(actionOf(isUnsigned, plain, &same) == TrustAction::Serve);
  Examined withKey = plain;
  withKey.isSigned = true;
  CHECK(actionOf(isUnsigned, withKey, nullptr) == TrustAction::Serve);
  CHECK(actionOf(always, withKey, nullptr) == TrustAction::Quarantine);
  CHECK(actionOf(always, withKey, &same) == TrustAction::Serve);
  CHECK(actionOf(always, withKey, &other) == TrustAction::Quarantine);
}

TEST_CASE("findings count from the severity that the rule names") {
  Examined warned = plain;
  warned.worst = Severity::Warning;
  for (const auto &[level, holds] : {std::pair{FindingLevel::Error, false},
                                     {FindingLevel::Warning, true},
                                     {FindingLevel::Advice, true},
                                     {FindingLevel::None, true}}) {
    // With the level None, the rule has no conditions and always applies.
    CHECK((actionOf(rule(TrustAction::Quarantine, {}, level), warned, nullptr) ==
           TrustAction::Quarantine) == holds);
  }
  CHECK(actionOf(rule(TrustAction::Quarantine, {}, FindingLevel::Advice), plain, nullptr) ==
        TrustAction::Serve);
  // One of several conditions is enough.
  CHECK(actionOf(rule(TrustAction::Quarantine, {TrustCondition::Changed}, FindingLevel::Warning),
                 warned, nullptr) == TrustAction::Quarantine);
}

TEST_CASE("a rejection withholds whatever the content has become, until it expires") {
  Decision no = decision(Verdict::Reject, "blake3:b");
  no.reason = "it phones home";
  const TrustRule warns = rule(TrustAction::Warn);
  const Judgement judged = applyRules({warns}, plain, &no, {}, today);
  CHECK(judged.action == TrustAction::Quarantine);
  CHECK(judged.state == ReviewState::Rejected);
  CHECK(judged.reason == "rejected by ada on 1970-01-01T00:00:01Z: it phones home; its files have "
                         "changed since");
  CHECK(judged.notice.empty());
  no.expires = today + 1;
  CHECK(applyRules({warns}, plain, &no, {}, today).action == TrustAction::Quarantine);
  no.expires = today;
  CHECK(applyRules({warns}, plain, &no, {}, today).action == TrustAction::Warn);
}

TEST_CASE("what was decided and is not known, and what cannot be read, is no approval") {
  const Decision yes = decision(Verdict::Approve, "blake3:a");
  const Judgement unknown =
      applyRules({rule(TrustAction::Warn)}, plain, &yes, "approvals.json: damaged", today);
  CHECK(unknown.action == TrustAction::Quarantine);
  CHECK(unknown.state == ReviewState::Unknown);
  Examined unread = plain;
  unread.digest.clear();
  CHECK(actionOf(rule(TrustAction::Quarantine), unread, &yes) == TrustAction::Quarantine);
  const Decision none = decision(Verdict::Approve, "");
  CHECK(actionOf(rule(TrustAction::Quarantine), unread, &none) == TrustAction::Quarantine);
}

TEST_CASE("the first rule that holds decides, and sources that are served as a whole have none") {
  const std::vector<TrustRule> rules{
      rule(TrustAction::Serve, {}, FindingLevel::None, {"own"}),
      rule(TrustAction::Quarantine, {}, FindingLevel::Error, {"hub-*"}),
      rule(TrustAction::Warn, {TrustCondition::New}, FindingLevel::None, {"hub-a", "own"})};
  CHECK(rulesFor(rules, "own").empty());
  CHECK(rulesFor(rules, "elsewhere").empty());
  CHECK(rulesFor(rules, "hub-b").size() == 1);
  const auto both = rulesFor(rules, "hub-a");
  REQUIRE(both.size() == 2);
  Examined bad = plain;
  bad.worst = Severity::Error;
  bad.severe = 2;
  bad.severest = "exec.reverse-shell";
  const Judgement judged = applyRules(both, bad, nullptr, {}, today);
  CHECK(judged.action == TrustAction::Quarantine);
  CHECK(judged.reason == "2 findings of high severity (exec.reverse-shell, …)");
  CHECK(applyRules(both, plain, nullptr, {}, today).action == TrustAction::Warn);
}

TEST_CASE("the agent is told in one line of what is not reviewed, and of grave findings") {
  Examined bad = plain;
  bad.worst = Severity::Error;
  bad.severe = 1;
  bad.severest = "exec.reverse-shell";
  const Decision yes = decision(Verdict::Approve, "blake3:a"),
                 other = decision(Verdict::Approve, "blake3:b");
  const auto notice = [&](const Examined &examined, const Decision *decided) {
    return applyRules({rule(TrustAction::Warn)}, examined, decided, {}, today).notice;
  };
  CHECK(notice(plain, &yes).empty());
  CHECK(notice(plain, nullptr).find("nobody has reviewed this skill") != std::string::npos);
  CHECK(notice(plain, &other).find("has changed since somebody reviewed it") != std::string::npos);
  CHECK(notice(bad, &yes) == "Note of the server: it has 1 finding of high severity "
                             "(exec.reverse-shell); a reviewer has approved it.");
  for (const std::string &one : {notice(plain, nullptr), notice(bad, nullptr), notice(bad, &yes)})
    CHECK(one.find('\n') == std::string::npos);
}

TEST_CASE("a rejection of what no rule may withhold is known to be in vain") {
  Approvals approvals;
  approvals.skills["hub/a"] = decision(Verdict::Reject, "");
  approvals.skills["own/a"] = decision(Verdict::Approve, "blake3:a");
  approvals.skills["own/b"] = decision(Verdict::Reject, "");
  approvals.skills["own/c"] = approvals.skills["own/b"];
  approvals.skills["own/c"].expires = today;
  approvals.skills["safe/x/y"] = decision(Verdict::Reject, "");
  const std::vector<TrustRule> rules{
      rule(TrustAction::Serve, {}, FindingLevel::None, {"safe"}),
      rule(TrustAction::Quarantine, {}, FindingLevel::None, {"hub", "safe"})};
  CHECK(rejectedInVain(rules, approvals, today) == std::vector<std::string>{"own/b", "safe/x/y"});
}
