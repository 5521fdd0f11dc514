// SPDX-License-Identifier: Apache-2.0
// The rules for inspecting the texts of a skill: what each looks for, why it matters, and what to
// do. The pattern tables find the passages.
#pragma once

#include "skillmd/finding.hpp"

#include <span>
#include <string_view>

namespace skillhost {

struct ContentRule {
  std::string_view id; // stable: people cite it, and baselines contain it
  Severity severity;   // the highest; the context of a place may lower it
  std::string_view looksFor;
  std::string_view reason; // text of a finding
  std::string_view remedy;
};

// Sorted by id. The index in this list is not stable.
std::span<const ContentRule> contentRules() noexcept;
// Returns nullptr if no rule has this id.
const ContentRule *contentRule(std::string_view id) noexcept;

} // namespace skillhost
