// SPDX-License-Identifier: Apache-2.0
// The configured rules of trust: which skills of which sources are served, served with a warning,
// or withheld until somebody has approved them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

enum class TrustAction : std::uint8_t { Serve, Warn, Quarantine };
// New: nobody has approved the skill, or the approval has expired. Changed: its files differ from
// the approved ones. Unsigned: its source does not say that a trusted key has signed it.
enum class TrustCondition : std::uint8_t { New, Changed, Unsigned };
// The severities of findings, and None for rules without findings.
enum class FindingLevel : std::uint8_t { Error, Warning, Advice, None };

struct TrustRule {
  std::vector<std::string> sources; // globs; empty: all
  TrustAction action = TrustAction::Serve;
  std::vector<TrustCondition> when;
  // The rule applies if the skill has a finding of at least this severity.
  FindingLevel findings = FindingLevel::None;
  friend bool operator==(const TrustRule &, const TrustRule &) = default;

  // Returns true if the rule applies to every skill of its sources.
  bool always() const noexcept { return when.empty() && findings == FindingLevel::None; }
};

} // namespace skillhost
