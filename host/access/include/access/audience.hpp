// SPDX-License-Identifier: Apache-2.0
// Computes who sees one skill by the rules of visibility. This is for managers, because it reveals
// rules for other callers.
#pragma once

#include "access/visibility.hpp"

#include <vector>

namespace skillhost {

// Without rules, everybody sees the skill.
struct Audience {
  std::vector<VisibilityRule> rules;
  bool needsAll = false; // true: all rules must be satisfied; false: one of them
};

Audience audienceOf(const Visibility::RulesPointer &rules, const Skill &skill);

} // namespace skillhost
