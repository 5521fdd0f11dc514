// SPDX-License-Identifier: Apache-2.0
// The rules by which the texts of a skill are looked through: what each looks for, why it matters,
// and what to do. What finds them is in the pattern tables beside.
#pragma once

#include "skillmd/finding.hpp"

#include <span>
#include <string_view>

namespace skillhost {

struct ContentRule {
  std::string_view id; // stable: people name it to others, and baselines hold it
  Severity severity;   // the highest it gives; the context of a place may lower it
  std::string_view looksFor;
  std::string_view reason; // of a finding: what stands there
  std::string_view remedy;
};

// In the order of their ids. The place in this list is not stable.
std::span<const ContentRule> contentRules() noexcept;
// nullptr: there is none of this id.
const ContentRule *contentRule(std::string_view id) noexcept;

} // namespace skillhost
