// SPDX-License-Identifier: Apache-2.0
// The rules of trust as they are configured: which skills of which sources are served, served with
// a warning, or withheld until somebody has approved them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost {

enum class TrustAction : std::uint8_t { Serve, Warn, Quarantine };
// New: nobody has approved the skill, or no longer. Changed: its files are not those that were
// approved. Unsigned: its source does not say that a trusted key has signed it.
enum class TrustCondition : std::uint8_t { New, Changed, Unsigned };
// As a finding's, and that no finding matters.
enum class FindingLevel : std::uint8_t { Error, Warning, Advice, None };

struct TrustRule {
  std::vector<std::string> sources; // globs; empty: all
  TrustAction action = TrustAction::Serve;
  std::vector<TrustCondition> when;
  FindingLevel findings = FindingLevel::None; // it has one that weighs as much as this
  friend bool operator==(const TrustRule &, const TrustRule &) = default;

  // Returns whether it holds for every skill of its sources.
  bool always() const noexcept { return when.empty() && findings == FindingLevel::None; }
};

} // namespace skillhost
