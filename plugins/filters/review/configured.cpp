// SPDX-License-Identifier: Apache-2.0
#include "review/configured.hpp"

#include "ground/json.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace skillhost::app {
namespace {

// The words in settings.json, in the order of each enumeration.
constexpr std::array<std::string_view, 3> actions{"serve", "warn", "quarantine"};
constexpr std::array<std::string_view, 3> conditions{"new", "changed", "unsigned"};
constexpr std::array<std::string_view, 4> levels{"error", "warning", "advice", "none"};

template <class Enumeration, class Words> Enumeration of(const Words &words, const Json &word) {
  return static_cast<Enumeration>(std::find(words.begin(), words.end(), word.get<std::string>()) -
                                  words.begin());
}

} // namespace

std::vector<TrustRule> trustRules(const settings::FeatureSettings &from) {
  std::vector<TrustRule> rules;
  for (const Json &one : from.value("trust.rules")) {
    TrustRule &rule = rules.emplace_back();
    rule.sources = one.at("sources").get<std::vector<std::string>>();
    rule.action = of<TrustAction>(actions, one.at("action"));
    for (const Json &condition : one.at("when"))
      rule.when.push_back(of<TrustCondition>(conditions, condition));
    rule.findings = of<FindingLevel>(levels, one.at("findings"));
  }
  return rules;
}

std::string approvalsFile(const settings::FeatureSettings &from) {
  return from.textIfAny("trust.approvals").value_or("");
}

Result<ApprovalsKeys> approvalsKeys(const settings::FeatureSettings &from) {
  Result<ApprovalsKeys> keys = ApprovalsKeys::read(from.texts("trust.approvals_keys"));
  if (!keys)
    return Failure{keys.failure().fault, "trust.approvals_keys: " + keys.failure().message};
  return keys;
}

} // namespace skillhost::app
